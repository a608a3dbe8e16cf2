import { describe, expect, it } from 'vitest';
import { layoutScope, type Box, type LayoutTask } from '../src/graph/layout';
import { memoised } from '../src/graph/layout_client';
import { overlap } from './overlap';

const task = (count: number, edges: [number, number][], more: Partial<LayoutTask> = {}): LayoutTask => ({
  nodes: Array.from({ length: count }, (_, index) => ({ id: `n${index}`, width: 90 + (index % 3) * 40, height: 40 + (index % 4) * 30 })),
  edges: edges.map(([from, to]) => ({ id: `n${from}→n${to}`, from: `n${from}`, to: `n${to}` })),
  inlets: [], outlets: [], header: 0, leastWidth: 0, ...more,
});

function overlaps(boxes: Box[]): number {
  let count = 0;
  boxes.forEach((a, index) => boxes.slice(index + 1).forEach((b) => (count += overlap(a, b) ? 1 : 0)));
  return count;
}

const chain = (count: number): [number, number][] => Array.from({ length: count - 1 }, (_, index) => [index, index + 1]);
const fan: [number, number][] = [[0, 1], [0, 2], [0, 3], [0, 4], [1, 5], [2, 5], [3, 5], [4, 5]];
const residual: [number, number][] = [...chain(8), [0, 4], [4, 7], [0, 7]];

describe('the layout of a scope', () => {
  it.each([['a chain', 30, chain(30)], ['a fan', 6, fan], ['skips', 8, residual], ['no edges', 12, []]] as [string, number, [number, number][]][])(
    'lets no boxes overlap: %s', (_, count, edges) => {
      const { boxes, width, height } = layoutScope(task(count, edges));
      const all = Object.values(boxes);
      expect(all).toHaveLength(count);
      expect(overlaps(all)).toBe(0);
      for (const box of all) {
        expect(box.x).toBeGreaterThanOrEqual(0);
        expect(box.x + box.width).toBeLessThanOrEqual(width);
        expect(box.y + box.height).toBeLessThanOrEqual(height);
      }
    });

  it('puts users below what they use', () => {
    const { boxes } = layoutScope(task(8, residual));
    for (const [from, to] of residual) expect(boxes[`n${to}`]?.y).toBeGreaterThan(boxes[`n${from}`]?.y ?? Infinity);
  });

  it('leads skip edges around the boxes that they pass', () => {
    const { boxes, bends } = layoutScope(task(8, residual));
    const points = bends['n0→n7'] ?? [];
    expect(points.length).toBeGreaterThan(4);
    for (const { x, y } of points.slice(1, -1)) {
      for (const box of Object.values(boxes)) expect(x > box.x + 1 && x < box.x + box.width - 1 && y > box.y + 1 && y < box.y + box.height - 1).toBe(false);
    }
  });

  it('puts inlets on the upper border and outlets on the lower one, apart from each other', () => {
    const inlets = ['a', 'b', 'c'];
    const edges = [...inlets.map((id) => ({ id: `${id}→n0`, from: id, to: 'n0' })), { id: 'n2→out', from: 'n2', to: 'out' }];
    const made = layoutScope({ ...task(3, chain(3)), inlets, outlets: ['out'], edges: [...task(3, chain(3)).edges, ...edges], header: 30 });
    const xs = inlets.map((id) => made.ports[id]?.x ?? -1).sort((a, b) => a - b);
    expect(inlets.every((id) => made.ports[id]?.y === 0)).toBe(true);
    expect(made.ports.out?.y).toBe(made.height);
    expect((xs[1] ?? 0) - (xs[0] ?? 0)).toBeGreaterThan(8);
    expect(Object.values(made.boxes).every(({ y }) => y >= 30)).toBe(true);
  });

  it('is the same for the same scope', () => {
    expect(layoutScope(task(8, residual))).toEqual(layoutScope(task(8, residual)));
  });

  it('lays thousands of boxes in rows without overlap', () => {
    const { boxes } = layoutScope(task(3000, chain(3000)));
    const sorted = Object.values(boxes).sort((a, b) => a.y - b.y);
    expect(sorted).toHaveLength(3000);
    sorted.slice(1).forEach((box, index) => expect(overlap(box, sorted[index] as Box)).toBe(false));
  });
});

it('remembers layouts, and forgets those that failed', async () => {
  let calls = 0;
  const layOut = memoised((each) => {
    calls += 1;
    return each.nodes.length === 0 ? Promise.reject(new Error('empty')) : Promise.resolve(layoutScope(each));
  });
  await layOut(task(3, chain(3)));
  await layOut(task(3, chain(3)));
  expect(calls).toBe(1);
  await layOut(task(4, chain(4)));
  expect(calls).toBe(2);
  await expect(layOut(task(0, []))).rejects.toThrow('empty');
  await expect(layOut(task(0, []))).rejects.toThrow('empty');
  expect(calls).toBe(4);
});
