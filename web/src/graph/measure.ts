import type { Badge, Lang } from '../state/keep';
import type { Item } from '../wire/types';
import { bytesText, countText, secondsText } from '../words/numbers';
import { parseType } from '../wire/tensor';

// Sizes of boxes are computed, not measured on the page, so that a layout can be made before anything is drawn.
const FAMILY = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif";
const widths = new Map<string, number>();
let context: CanvasRenderingContext2D | null | undefined;

export function textWidth(text: string, pixels: number, weight = 400): number {
  const key = `${weight} ${pixels} ${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  if (context === undefined) {
    // jsdom has no canvas; there the width is guessed.
    context = typeof navigator !== 'undefined' && navigator.userAgent.includes('jsdom') ? null : document.createElement('canvas').getContext('2d');
  }
  let width = text.length * pixels * 0.62;
  if (context) {
    context.font = `${weight} ${pixels}px ${FAMILY}`;
    width = context.measureText(text).width;
  }
  widths.set(key, width);
  return width;
}

export const NODE = { height: 30, line: 16, padding: 12, least: 92, expander: 26, stack: 6 };
export const HEADER = 30;

export const shortOp = (op: string): string => op.replace(/^[a-z]+\./, '');

// As they stand: lengths may be symbols.
const sizes = (type: string): string => type.slice(parseType(type).dtype.length);

// The lines under the name of a node: its op, and the badges that are switched on.
export function linesOf(item: Item, badges: Record<Badge, boolean>, lang: Lang): string[] {
  const lines: string[] = [];
  const op = shortOp(item.op);
  if (op !== '' && op.toLowerCase() !== item.name.toLowerCase()) lines.push(op);
  const type = item.outputs[0]?.type;
  const marks: string[] = [];
  if (type !== undefined) {
    const { dtype } = parseType(type);
    const both = [badges.dtype ? dtype : '', badges.shape ? sizes(type) : ''].join('');
    if (both !== '') marks.push(both);
  }
  if (badges.parameters && item.parameters > 0) marks.push(`θ ${countText(item.parameters, lang)}`);
  if (badges.time && item.seconds !== undefined) marks.push(secondsText(item.seconds, lang));
  if (badges.memory && item.bytes !== undefined) marks.push(bytesText(item.bytes, lang));
  if (marks.length > 0) lines.push(marks.join(' · '));
  return lines;
}

export interface Size {
  width: number;
  height: number;
}

export function sizeOf(item: Item, lines: readonly string[], folded: number): Size {
  const name = item.name + (folded > 1 ? ` ×${folded}` : '');
  const texts = [textWidth(name, 13, 600) + (item.opens ? NODE.expander : 0), ...lines.map((line) => textWidth(line, 11))];
  const width = Math.max(NODE.least, Math.ceil(Math.max(...texts)) + 2 * NODE.padding + 8);
  return { width: width + (folded > 1 ? NODE.stack : 0), height: NODE.height + lines.length * NODE.line + (lines.length > 0 ? 4 : 0) + (folded > 1 ? NODE.stack : 0) };
}

export const tagSize = (name: string): Size => ({ width: Math.ceil(textWidth(name, 11)) + 26, height: 20 });

// The least width of an opened box, so that its header is not cut off.
export const headerWidth = (name: string, op: string): number =>
  Math.ceil(textWidth(name, 13, 600) + textWidth(op, 11)) + 3 * NODE.padding + 2 * NODE.expander + 12;
