import type { Point } from './layout';

const round = (value: number): number => Math.round(value * 10) / 10;

// A line through points that is upright at each of them, so it never leaves the corridor between boxes.
export function curveThrough(points: readonly Point[]): string {
  const first = points[0];
  if (!first) return '';
  let text = `M${round(first.x)},${round(first.y)}`;
  for (let index = 1; index < points.length; index += 1) {
    const a = points[index - 1] as Point;
    const b = points[index] as Point;
    if (Math.abs(a.x - b.x) < 0.5) text += `L${round(b.x)},${round(b.y)}`;
    else {
      const middle = round((a.y + b.y) / 2);
      text += `C${round(a.x)},${middle} ${round(b.x)},${middle} ${round(b.x)},${round(b.y)}`;
    }
  }
  return text;
}
