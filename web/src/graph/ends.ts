import type { Edge } from '../wire/types';
import type { Point } from './layout';
import { HEADER } from './measure';
import { passedBy } from './past';
import { portId, tagId, type Laid, type SceneEdge } from './scene';

// The edges of a level with the points that they run through. Where several meet a box they are spread along its
// border in the order in which they come, and an edge to an opened box ends at the port that goes on inside.
export function joinEnds(laid: Laid, origin: Point, depth: number): SceneEdge[] {
  const { level, layout, scope } = laid;
  const loose: Edge[] = level.edges.map((edge) => ({ ...edge }));
  for (const { value, type, from, to } of level.portals) {
    const plain = { value, type, count: 1, skips: false };
    if (from !== null) loose.push({ ...plain, from, to: tagId(scope, value, null) });
    to.forEach((item) => loose.push({ ...plain, from: tagId(scope, value, item), to: item }));
  }
  for (const { value, values, type, items } of level.inlets) {
    const past = passedBy(level, items);
    items.forEach((item) => loose.push({ value, type, count: values.length, skips: past.has(item), from: portId(scope, 'in', value), to: item }));
  }
  for (const { value, values, type, items } of level.outlets) {
    items.forEach((item) => loose.push({ value, type, count: values.length, skips: false, from: item, to: portId(scope, 'out', value) }));
  }
  const bendsOf = ({ from, to }: Edge): Point[] => layout.bends[`${from}→${to}`] ?? [];
  return loose.map((edge) => {
    const bends = bendsOf(edge);
    const up = leadsUp(laid, edge);
    const start = endAt(laid, edge, 'from', spreadOf(loose, edge, 'from', bendsOf), up);
    const end = endAt(laid, edge, 'to', spreadOf(loose, edge, 'to', bendsOf), up);
    const [lower, upper] = up ? [Math.min, Math.max] : [Math.max, Math.min];
    const first = bends[0] ? [{ x: start.x, y: lower(start.y, bends[0].y) }] : [];
    const last = bends.at(-1);
    const beforeEnd = last ? [{ x: end.x, y: upper(end.y, last.y) }] : [];
    const points = [start, ...first, ...bends.slice(1, -1), ...beforeEnd, end];
    return {
      ...edge,
      id: `${edge.from}→${edge.to}|${edge.value}`,
      depth,
      points: points.map(({ x, y }) => ({ x: x + origin.x, y: y + origin.y })),
    };
  });
}

// Where among the edges at this side of its box an edge lies, from 0 to 1.
function spreadOf(loose: readonly Edge[], edge: Edge, side: 'from' | 'to', bendsOf: (edge: Edge) => Point[]): number {
  const own = edge[side];
  const near = (each: Edge): number => {
    const bends = bendsOf(each);
    return (side === 'from' ? (bends[1] ?? bends[0]) : (bends.at(-2) ?? bends.at(-1)))?.x ?? 0;
  };
  const same = loose.filter((each) => each[side] === own);
  const groups = side === 'to' ? same : same.filter((each, index) => same.findIndex(({ value }) => value === each.value) === index);
  const sorted = [...groups].sort((a, b) => near(a) - near(b));
  const at = sorted.findIndex((each) => (side === 'to' ? each === edge : each.value === edge.value));
  return (at + 1) / (sorted.length + 1);
}

// Parts of a step that need each other cannot all stand above what uses them.
function leadsUp({ layout }: Laid, { from, to }: Edge): boolean {
  const [start, end] = [layout.boxes[from], layout.boxes[to]];
  return start !== undefined && end !== undefined && start.y >= end.y + end.height;
}

function endAt(laid: Laid, edge: Edge, side: 'from' | 'to', share: number, up: boolean): Point {
  const id = edge[side];
  const { layout } = laid;
  const port = layout.ports[id];
  // The line of an inlet begins below the header, so that it does not cross the name.
  if (port) return side === 'from' ? { x: port.x, y: HEADER } : port;
  const box = layout.boxes[id] ?? { x: 0, y: 0, width: 0, height: 0 };
  const inside = laid.inside.get(id);
  if (inside && !up) {
    const inner = inside.level[side === 'to' ? 'inlets' : 'outlets'];
    const match = inner.find(({ values }) => values.includes(edge.value)) ?? (inner.length === 1 ? inner[0] : undefined);
    const at = match && inside.layout.ports[portId(id, side === 'to' ? 'in' : 'out', match.value)];
    if (at) return { x: box.x + at.x, y: box.y + at.y };
  }
  return { x: box.x + box.width * share, y: (side === 'to') !== up ? box.y : box.y + box.height };
}
