import type { Box, Point } from './layout';
import type { Scene } from './scene';

export interface Viewport extends Point {
  zoom: number;
}

const boxOf = (scene: Scene, id: string): Box | undefined => scene.nodes.find((node) => node.id === id)?.box;

// Whether any of a node can be seen through the viewport. What is selected and in sight stays, whatever else is opened.
export function isInSight(scene: Scene, id: string, { x, y, zoom }: Viewport, pane: { clientWidth: number; clientHeight: number }): boolean {
  const box = boxOf(scene, id);
  if (!box) return false;
  const left = box.x * zoom + x;
  const top = box.y * zoom + y;
  return left < pane.clientWidth && left + box.width * zoom > 0 && top < pane.clientHeight && top + box.height * zoom > 0;
}

// The viewport in which `anchor` stands at the same place of the screen in the new scene as it did in the old one.
// Without it, the node nearest to the middle of the screen that both scenes have.
export function keepInPlace(before: Scene, after: Scene, viewport: Viewport, anchors: (string | null)[], middle: Point): Viewport {
  const kept = anchors.find((id) => id !== null && boxOf(before, id) && boxOf(after, id)) ?? nearest(before, after, middle);
  const old = kept ? boxOf(before, kept) : undefined;
  const now = kept ? boxOf(after, kept) : undefined;
  if (!old || !now) return viewport;
  return { zoom: viewport.zoom, x: viewport.x + (old.x - now.x) * viewport.zoom, y: viewport.y + (old.y - now.y) * viewport.zoom };
}

function nearest(before: Scene, after: Scene, middle: Point): string | null {
  const left = new Set(after.nodes.map(({ id }) => id));
  let best: string | null = null;
  let least = Infinity;
  for (const { id, box, kind } of before.nodes) {
    if (kind !== 'item' || !left.has(id)) continue;
    const distance = Math.hypot(box.x + box.width / 2 - middle.x, box.y + box.height / 2 - middle.y);
    if (distance < least) [least, best] = [distance, id];
  }
  return best;
}
