import { expect, it } from 'vitest';
import { layoutScope, type Point } from '../src/graph/layout';
import { composeScene, type Scene } from '../src/graph/scene';
import { edge, item, level } from './helpers';

// Where compiled parts of a step need each other, some edges must lead up.
const names = ['a', 'b', 'c', 'd', 'e'];
const circle = level('', names.map((name) => item(name)), [edge('a', 'b'), edge('b', 'c'), edge('c', 'd'), edge('d', 'e'), edge('e', 'a'), edge('d', 'b')]);

async function scene(): Promise<Scene> {
  const badges = { shape: true, dtype: false, parameters: false, time: false, memory: false };
  const made = await composeScene({ root: '', levelAt: () => circle, expanded: [], unfolded: [], badges, lang: 'en' }, (task) => Promise.resolve(layoutScope(task)));
  if (!made) throw new Error('no scene');
  return made;
}

// Points along the straight parts of a line.
const along = (points: readonly Point[]): Point[] =>
  points.slice(1).flatMap((to, index) => {
    const from = points[index] ?? to;
    return Array.from({ length: 21 }, (_, part) => ({ x: from.x + ((to.x - from.x) * part) / 20, y: from.y + ((to.y - from.y) * part) / 20 }));
  });

it('an edge that leads up leaves its box above, enters below, and crosses no box', async () => {
  const { nodes, edges } = await scene();
  const boxes = new Map(nodes.map(({ id, box }) => [id, box]));
  const up = edges.filter(({ from, to }) => (boxes.get(from)?.y ?? 0) > (boxes.get(to)?.y ?? 0));
  expect(up.length).toBeGreaterThan(0);
  for (const { from, to, points } of up) {
    expect(points[0]?.y).toBeCloseTo(boxes.get(from)?.y ?? NaN);
    expect(points.at(-1)?.y).toBeCloseTo((boxes.get(to)?.y ?? NaN) + (boxes.get(to)?.height ?? NaN));
    for (const { x, y } of along(points)) {
      for (const { box } of nodes) expect(x > box.x + 1 && x < box.x + box.width - 1 && y > box.y + 1 && y < box.y + box.height - 1).toBe(false);
    }
  }
});
