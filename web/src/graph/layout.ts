import { Graph, layout as dagre } from '@dagrejs/dagre';
import { layInRows } from './rows';

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  width: number;
  height: number;
}

// One scope to lay out: its boxes, its edges, and the ports on its upper and lower border.
export interface LayoutTask {
  nodes: { id: string; width: number; height: number }[];
  edges: { id: string; from: string; to: string }[];
  inlets: string[];
  outlets: string[];
  header: number; // room above the boxes
  leastWidth: number;
}

// Corners and bends relative to the upper left corner of the scope. Ports lie on its border.
export interface LayoutResult {
  width: number;
  height: number;
  boxes: Record<string, Box>;
  ports: Record<string, Point>;
  bends: Record<string, Point[]>;
}

export const MARGIN = 20;
const RANK_SEPARATION = 28;
const NODE_SEPARATION = 26;
const PORT = { width: 12, height: 2 };
const MOST_FOR_DAGRE = 1500;
const TOP = '\u0000top';
const BOTTOM = '\u0000bottom';

// Lays out one scope from top to bottom. Dagre recurses deeply, so very large scopes are laid in plain rows.
export function layoutScope(task: LayoutTask): LayoutResult {
  if (task.nodes.length > MOST_FOR_DAGRE) return finish(task, layInRows(task));
  try {
    return finish(task, layByDagre(task));
  } catch (problem) {
    if (problem instanceof RangeError) return finish(task, layInRows(task));
    throw problem;
  }
}

export interface Raw {
  boxes: Map<string, Box>; // corners
  ports: Map<string, number>; // middle
  bends: Map<string, Point[]>;
}

function layByDagre(task: LayoutTask): Raw {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', ranksep: RANK_SEPARATION, nodesep: NODE_SEPARATION, edgesep: 14, ranker: 'network-simplex' });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of task.nodes) graph.setNode(id, { width, height });
  // Heavy edges to two invisible ends hold the ports at the borders.
  const pin = (ports: string[], end: string, into: boolean) => {
    if (ports.length === 0) return;
    graph.setNode(end, { width: 1, height: 1 });
    for (const port of ports) {
      graph.setNode(port, { ...PORT });
      if (into) graph.setEdge(end, port, { weight: 50, minlen: 1 }, `pin ${port}`);
      else graph.setEdge(port, end, { weight: 50, minlen: 1 }, `pin ${port}`);
    }
  };
  pin(task.inlets, TOP, true);
  pin(task.outlets, BOTTOM, false);
  for (const { id, from, to } of task.edges) {
    if (from !== to && graph.hasNode(from) && graph.hasNode(to)) graph.setEdge(from, to, { weight: 1 }, id);
  }
  dagre(graph);
  const boxes = new Map<string, Box>();
  for (const { id, width, height } of task.nodes) {
    const { x, y } = graph.node(id) as Point;
    boxes.set(id, { x: x - width / 2, y: y - height / 2, width, height });
  }
  const ports = new Map([...task.inlets, ...task.outlets].map((port) => [port, (graph.node(port) as Point).x]));
  const rows = rowsOf(boxes.values());
  const bends = new Map<string, Point[]>();
  for (const edge of graph.edges()) {
    if (edge.name === undefined) continue;
    const { points } = graph.edge(edge) as { points: Point[] };
    const ends = { from: rowAt(rows, (graph.node(edge.v) as Point).y), to: rowAt(rows, (graph.node(edge.w) as Point).y) };
    bends.set(edge.name, uprightIn(rows, points, ends));
  }
  return { boxes, ports, bends };
}

interface Row {
  middle: number;
  half: number;
}

// The rows that boxes stand in, with half the height of the tallest of each.
function rowsOf(boxes: Iterable<Box>): Row[] {
  const rows: Row[] = [];
  for (const { y, height } of boxes) {
    const row = rows.find(({ middle }) => Math.abs(middle - y - height / 2) < 1);
    if (row) row.half = Math.max(row.half, height / 2);
    else rows.push({ middle: y + height / 2, half: height / 2 });
  }
  return rows;
}

const rowAt = (rows: readonly Row[], y: number): Row => rows.find(({ middle }) => Math.abs(middle - y) < 1) ?? { middle: y, half: 0 };

// Where an edge passes a row it goes straight down beside the boxes; it moves sideways only between rows. The first and
// the last point are the heights at which it leaves and enters the rows of its ends. One that leads back up, against the
// flow, goes the same way in the other direction.
function uprightIn(rows: readonly Row[], points: readonly Point[], ends: { from: Row; to: Row }): Point[] {
  if (ends.from.middle > ends.to.middle) return uprightIn(rows, [...points].reverse(), { from: ends.to, to: ends.from }).reverse();
  const passed = points.slice(1, -1).filter(({ y }) => y > ends.from.middle + ends.from.half && y < ends.to.middle - ends.to.half);
  const between = passed.flatMap(({ x, y }) => {
    const { middle, half } = rowAt(rows, y);
    return half === 0 ? [] : [{ x, y: middle - half }, { x, y: middle + half }];
  });
  const first = points[0] ?? { x: 0, y: 0 };
  const last = points.at(-1) ?? first;
  return [{ x: first.x, y: ends.from.middle + ends.from.half }, ...between, { x: last.x, y: ends.to.middle - ends.to.half }];
}

// Moves all to a common origin and puts the ports on the border, far enough from each other.
function finish(task: LayoutTask, raw: Raw): LayoutResult {
  const corners = [...raw.boxes.values()];
  const inner = new Set(task.edges.map(({ id }) => id));
  const points = [...raw.bends].filter(([id]) => inner.has(id)).flatMap(([, bends]) => bends.slice(1, -1));
  const xs = [...corners.map(({ x }) => x), ...raw.ports.values(), ...points.map(({ x }) => x)];
  const ends = [...corners.map(({ x, width }) => x + width), ...raw.ports.values(), ...points.map(({ x }) => x)];
  const left = xs.length > 0 ? least(xs) : 0;
  const right = ends.length > 0 ? most(ends) : 0;
  const top = corners.length > 0 ? least(corners.map(({ y }) => y)) : 0;
  const bottom = corners.length > 0 ? most(corners.map(({ y, height }) => y + height)) : 0;
  const width = Math.max(task.leastWidth, right - left + 2 * MARGIN);
  const dx = (width - (right - left)) / 2 - left;
  const dy = task.header + MARGIN - top;
  const height = task.header + bottom - top + 2 * MARGIN;
  const move = ({ x, y }: Point): Point => ({ x: x + dx, y: y + dy });
  return {
    width,
    height,
    boxes: Object.fromEntries([...raw.boxes].map(([id, box]) => [id, { ...box, ...move(box) }])),
    ports: { ...spread(task.inlets, raw, dx, width, 0), ...spread(task.outlets, raw, dx, width, height) },
    bends: Object.fromEntries([...raw.bends].filter(([id]) => inner.has(id)).map(([id, bends]) => [id, bends.map(move)])),
  };
}

function spread(ports: string[], raw: Raw, dx: number, width: number, y: number): Record<string, Point> {
  const gap = Math.min(24, width / (ports.length + 1));
  const sorted = [...ports].sort((a, b) => (raw.ports.get(a) ?? 0) - (raw.ports.get(b) ?? 0));
  let last = -Infinity;
  const placed = sorted.map((port) => {
    last = Math.max(last + gap, Math.max(gap / 2, (raw.ports.get(port) ?? 0) + dx));
    return { port, x: last };
  });
  const over = Math.max(0, last - (width - gap / 2));
  return Object.fromEntries(placed.map(({ port, x }) => [port, { x: x - over, y }]));
}

// Math.min of a long list overflows the stack.
const least = (values: number[]): number => values.reduce((a, b) => Math.min(a, b), Infinity);
const most = (values: number[]): number => values.reduce((a, b) => Math.max(a, b), -Infinity);
