import { describe, expect, it } from 'vitest';
import { isInSight, keepInPlace } from '../src/graph/anchor';
import { foldLevel } from '../src/graph/fold';
import { layoutScope } from '../src/graph/layout';
import { neighbourOf } from '../src/graph/neighbours';
import { routeThrough } from '../src/graph/route';
import { composeScene, type Scene } from '../src/graph/scene';
import type { Level } from '../src/wire/types';
import { edge, item, level } from './helpers';
import { overlap } from './overlap';

const block = (index: number) => item(`block_${index}`, { op: 'nn.Block', opens: true, repeats: { of: 'block_0', index, count: 4 } });
const rootLevel = level('', [item('x'), ...[0, 1, 2, 3].map(block), item('y'), item('aside')],
  [edge('x', 'block_0'), edge('block_0', 'block_1'), edge('block_1', 'block_2'), edge('block_2', 'block_3'), edge('block_3', 'y')]);
const inside = level('block_1', [item('block_1/norm'), item('block_1/add')], [edge('block_1/norm', 'block_1/add')], {
  inlets: [{ name: 'x', value: 'block_0:0', type: 'f32[]', items: ['block_1/norm', 'block_1/add'] }],
  outlets: [{ name: 'y', value: 'block_1:0', type: 'f32[]', items: ['block_1/add'] }],
});
const levels: Record<string, Level> = { '': rootLevel, block_1: inside };

async function scene(expanded: string[], unfolded: string[]): Promise<Scene> {
  const badges = { shape: true, dtype: false, parameters: false, time: false, memory: false };
  const made = await composeScene({ root: '', levelAt: (scope) => levels[scope], expanded, unfolded, badges, lang: 'en' }, (task) => Promise.resolve(layoutScope(task)));
  if (!made) throw new Error('no scene');
  return made;
}

describe('repetitions', () => {
  it('fold into one item, and edges inside the chain go away', () => {
    const folded = foldLevel(rootLevel, []);
    expect(folded.items.map(({ path }) => path)).toEqual(['x', 'block_0', 'y', 'aside']);
    expect(folded.items[1]?.folded).toBe(4);
    expect(folded.edges.map(({ from, to }) => `${from} ${to}`)).toEqual(['x block_0', 'block_0 y']);
  });

  it('unfold when asked', () => {
    expect(foldLevel(rootLevel, ['block_0']).items).toHaveLength(7);
  });

  it('joins many ports of the same items', () => {
    const port = (name: string, items: string[]) => ({ name, value: `${name}:0`, type: 'f32[]', items });
    const outlets = [...['a', 'b', 'c', 'd'].map((name) => port(name, ['block'])), port('e', ['head'])];
    const folded = foldLevel({ ...rootLevel, outlets }, ['block_0']).outlets;
    expect(folded.map(({ name, values }) => [name, values.length])).toEqual([['a +3', 4], ['e', 1]]);
  });

  it('joins the portals of folded blocks', () => {
    const portals = [0, 1, 2, 3].map((index) => ({ name: `forward: block_${index} +7`, value: `v_${index}:0`, type: 'f32[]', from: null, to: [`block_${index}`] }));
    expect(foldLevel({ ...rootLevel, portals }, []).portals.map(({ name, to }) => [name, to])).toEqual([['forward: block_0 +3', ['block_0']]]);
    expect(foldLevel({ ...rootLevel, portals }, ['block_0']).portals).toHaveLength(4);
  });
});

describe('a scene', () => {
  it('holds an opened box around its level, and nothing overlaps', async () => {
    const made = await scene(['block_1'], ['block_0']);
    const box = made.nodes.find(({ id }) => id === 'block_1');
    const inner = made.nodes.filter(({ id }) => id.startsWith('block_1/'));
    expect(box?.kind).toBe('box');
    expect(inner).toHaveLength(2);
    for (const { box: own } of inner) {
      expect(own.x).toBeGreaterThan(box?.box.x ?? Infinity);
      expect(own.y + own.height).toBeLessThan((box?.box.y ?? 0) + (box?.box.height ?? 0));
    }
    const leaves = made.nodes.filter(({ kind }) => kind === 'item');
    leaves.forEach((a, at) => leaves.slice(at + 1).forEach((b) => expect(overlap(a.box, b.box)).toBe(false)));
  });

  it('joins edges from outside to the ports that go on inside', async () => {
    const made = await scene(['block_1'], ['block_0']);
    const port = made.nodes.find(({ id }) => id === 'block_1#in:block_0:0');
    const end = made.edges.find(({ from, to }) => from === 'block_0' && to === 'block_1')?.points.at(-1);
    expect(end?.x).toBeCloseTo((port?.box.x ?? 0) + 5);
    expect(end?.y).toBeCloseTo((port?.box.y ?? 0) + 5);
  });

  it('keeps what is selected in its place when something else opens', async () => {
    const before = await scene([], ['block_0']);
    const after = await scene(['block_1'], ['block_0']);
    const place = (each: Scene, view: { x: number; y: number; zoom: number }) => {
      const { box } = each.nodes.find(({ id }) => id === 'y') ?? { box: { x: 0, y: 0 } };
      return { x: view.x + box.x * view.zoom, y: view.y + box.y * view.zoom };
    };
    const view = { x: 30, y: -20, zoom: 0.8 };
    const moved = keepInPlace(before, after, view, [null, 'y'], { x: 0, y: 0 });
    expect(place(after, moved).x).toBeCloseTo(place(before, view).x);
    expect(place(after, moved).y).toBeCloseTo(place(before, view).y);
    expect(place(after, view).y).not.toBeCloseTo(place(before, view).y);
  });

  it('knows whether a node is in sight', async () => {
    const made = await scene([], ['block_0']);
    const { box } = made.nodes.find(({ id }) => id === 'y') ?? { box: { x: 0, y: 0, height: 0 } };
    const pane = { clientWidth: 400, clientHeight: 300 };
    expect(isInSight(made, 'y', { x: -box.x, y: -box.y, zoom: 1 }, pane)).toBe(true);
    expect(isInSight(made, 'y', { x: -box.x, y: 300 - box.y, zoom: 1 }, pane)).toBe(false);
    expect(isInSight(made, 'y', { x: -box.x, y: -box.y - box.height, zoom: 1 }, pane)).toBe(false);
    expect(isInSight(made, 'nowhere', { x: 0, y: 0, zoom: 1 }, pane)).toBe(false);
  });

  it('shows the path through a node, also through an opened box', async () => {
    const made = await scene(['block_1'], ['block_0']);
    const route = routeThrough(made, 'block_1/norm');
    for (const id of ['x', 'block_0', 'block_1/add', 'block_2', 'y']) expect(route.nodes.has(id)).toBe(true);
    expect(route.nodes.has('aside')).toBe(false);
  });

  it('leads from node to node by arrow keys', async () => {
    const made = await scene([], ['block_0']);
    expect(neighbourOf(made, 'block_1', 'down')).toBe('block_2');
    expect(neighbourOf(made, 'block_1', 'up')).toBe('block_0');
    expect(neighbourOf(made, null, 'down')).toBe('x');
    expect(neighbourOf(made, 'y', 'down')).toBeNull();
  });
});
