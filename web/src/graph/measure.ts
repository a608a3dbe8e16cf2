import type { Figures } from '../state/costs';
import type { Badge, Lang } from '../state/keep';
import type { Item } from '../wire/types';
import { bytesText, countText, secondsText } from '../words/numbers';
import { t } from '../words/words';
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

const MOST_NAME = 240;

// The text if it is at most so wide, else its beginning and its end around an ellipsis. Names may come from anywhere and
// be of any length; the whole of it is told by the title and to screen readers.
export function shorten(text: string, pixels: number, weight = 400, most = MOST_NAME): string {
  const clean = text.length > 2000 ? `${text.slice(0, 1000)}…${text.slice(-1000)}` : text;
  if (clean === text && textWidth(text, pixels, weight) <= most) return text;
  const cut = (kept: number) => `${clean.slice(0, Math.ceil(kept / 2))}…${clean.slice(clean.length - Math.floor(kept / 2))}`;
  let fits = 2;
  let tooLong = clean.length;
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (textWidth(cut(middle), pixels, weight) <= most) fits = middle;
    else tooLong = middle;
  }
  return cut(fits);
}

export const NODE = { height: 30, line: 16, padding: 12, gap: 7, least: 92, expander: 22, stack: 6 };
export const HEADER = 30;

export const shortOp = (op: string): string => op.replace(/^[a-z]+\./, '');

// As they stand: lengths may be symbols.
const sizes = (type: string): string => type.slice(parseType(type).dtype.length);

// The op beside the name of a node, where it says more than the name: `Add#4` is an Add.
export function opBeside(item: Pick<Item, 'op' | 'name'>): string {
  const op = shortOp(item.op);
  const name = item.name.toLowerCase();
  return name === op.toLowerCase() || name.startsWith(`${op.toLowerCase()}#`) ? '' : shorten(op, 11, 400, 160);
}

// The type of what a node gives. A folder such as `forward`, of which many things flow, has none.
export const typeShown = (item: Pick<Item, 'op' | 'outputs'> | undefined): string =>
  (item === undefined || (item.op === '' && item.outputs.length > 1) ? '' : (item.outputs[0]?.type ?? ''));

// What stands under the name of a node: the badges that are switched on.
export function linesOf(item: Item, badges: Record<Badge, boolean>, lang: Lang, figures: Figures = item): string[] {
  const type = typeShown(item);
  const marks: string[] = [];
  if (type !== '') {
    const { dtype } = parseType(type);
    const both = [badges.dtype ? dtype : '', badges.shape ? sizes(type) : ''].join('');
    if (both !== '') marks.push(both);
  } else if (badges.shape && item.opens) {
    marks.push(t('nodesCount', { n: countText(item.nodes, lang) }, lang));
  }
  if (badges.parameters && item.parameters > 0) marks.push(`θ ${countText(item.parameters, lang)}`);
  if (badges.time && figures.seconds !== undefined) marks.push(secondsText(figures.seconds, lang));
  if (badges.memory && figures.bytes !== undefined) marks.push(bytesText(figures.bytes, lang));
  return marks.length > 0 ? [shorten(marks.join(' · '), 11, 400, 320)] : [];
}

export interface Size {
  width: number;
  height: number;
}

export const nodeLabel = (name: string): string => shorten(name, 13, 600);

export function sizeOf(item: Item, lines: readonly string[], folded: number): Size {
  const name = nodeLabel(item.name) + (folded > 1 ? ` ×${folded}` : '');
  const op = opBeside(item);
  const first = textWidth(name, 13, 600) + (op === '' ? 0 : textWidth(op, 11) + NODE.gap) + (item.opens ? NODE.expander : 0);
  const texts = [first, ...lines.map((line) => textWidth(line, 11))];
  const width = Math.max(NODE.least, Math.ceil(Math.max(...texts)) + 2 * NODE.padding + 8);
  return { width: width + (folded > 1 ? NODE.stack : 0), height: NODE.height + lines.length * NODE.line + (lines.length > 0 ? 4 : 0) + (folded > 1 ? NODE.stack : 0) };
}

export const tagLabel = (name: string): string => shorten(name, 11, 400, 160);

export const tagSize = (name: string): Size => ({ width: Math.ceil(textWidth(tagLabel(name), 11)) + 26, height: 20 });

// The least width of an opened box, so that its header is not cut off.
export const headerWidth = (name: string, op: string): number =>
  Math.ceil(textWidth(nodeLabel(name), 13, 600) + textWidth(shorten(op, 11), 11)) + 3 * NODE.padding + 2 * NODE.expander + 12;
