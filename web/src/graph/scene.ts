import { figuresOf, type Costs } from '../state/costs';
import type { Badge, Lang } from '../state/keep';
import type { Edge, Level } from '../wire/types';
import { foldLevel, type FoldedItem, type FoldedLevel } from './fold';
import type { Box, LayoutResult, LayoutTask, Point } from './layout';
import type { LayOut } from './layout_client';
import { HEADER, headerWidth, linesOf, shortOp, sizeOf, tagSize } from './measure';
import { joinEnds } from './ends';

export interface SceneNode {
  id: string;
  kind: 'item' | 'box' | 'port' | 'tag';
  path: string; // of the item, or of the scope that a port belongs to
  name: string;
  depth: number;
  box: Box;
  lines: string[];
  item?: FoldedItem;
  value?: string;
  type?: string;
}

export interface SceneEdge extends Edge {
  id: string;
  depth: number;
  points: Point[];
}

export interface Scene {
  root: string;
  nodes: SceneNode[];
  edges: SceneEdge[];
}

export interface SceneInput {
  root: string;
  levelAt(scope: string): Level | undefined;
  expanded: readonly string[];
  unfolded: readonly string[];
  badges: Record<Badge, boolean>;
  lang: Lang;
  costs?: Costs; // what parts of the model take, where a badge shows it
}

// A scope with its layout and those of the boxes that are open in it.
export interface Laid {
  scope: string;
  level: FoldedLevel;
  layout: LayoutResult;
  inside: Map<string, Laid>;
  lines: Map<string, string[]>;
}

export const portId = (scope: string, side: 'in' | 'out', value: string): string => `${scope}#${side}:${value}`;
export const tagId = (scope: string, value: string, item: string | null): string => `${scope}#tag:${value}→${item ?? ''}`;

// A scope is called as its item in the level around it.
function nameIn(input: SceneInput, scope: string): string {
  const end = scope.lastIndexOf('/');
  return input.levelAt(scope.slice(0, Math.max(0, end)))?.items.find(({ path }) => path === scope)?.name ?? scope.slice(end + 1);
}

async function layScope(scope: string, input: SceneInput, layOut: LayOut, isRoot: boolean): Promise<Laid | null> {
  const found = input.levelAt(scope);
  if (!found) return null;
  const level = foldLevel(found, input.unfolded);
  const inside = new Map<string, Laid>();
  const lines = new Map<string, string[]>();
  for (const item of level.items) {
    lines.set(item.path, linesOf(item, input.badges, input.lang, figuresOf(item, found.view, input.costs)));
    const open = item.opens && input.expanded.includes(item.path) ? await layScope(item.path, input, layOut, false) : null;
    if (open) inside.set(item.path, open);
  }
  const task: LayoutTask = { nodes: [], edges: [], inlets: [], outlets: [], header: isRoot ? 0 : HEADER, leastWidth: 0 };
  for (const item of level.items) {
    const open = inside.get(item.path);
    const size = open ? open.layout : sizeOf(item, lines.get(item.path) ?? [], item.folded);
    task.nodes.push({ id: item.path, width: size.width, height: size.height });
  }
  level.edges.forEach(({ from, to }) => task.edges.push({ id: `${from}→${to}`, from, to }));
  addTags(task, scope, level);
  addPorts(task, scope, level, isRoot);
  if (!isRoot) task.leastWidth = headerWidth(nameIn(input, scope), shortOp(found.title));
  return { scope, level, layout: await layOut(task), inside, lines };
}

function addTags(task: LayoutTask, scope: string, level: FoldedLevel): void {
  for (const { name, value, from, to } of level.portals) {
    const add = (id: string, edgeFrom: string, edgeTo: string) => {
      task.nodes.push({ id, ...tagSize(name) });
      task.edges.push({ id: `${edgeFrom}→${edgeTo}`, from: edgeFrom, to: edgeTo });
    };
    if (from !== null) add(tagId(scope, value, null), from, tagId(scope, value, null));
    for (const item of to) add(tagId(scope, value, item), tagId(scope, value, item), item);
  }
}

// An opened box has ports on its border; at the root, where there is none, they are tags.
function addPorts(task: LayoutTask, scope: string, level: FoldedLevel, isRoot: boolean): void {
  for (const side of ['in', 'out'] as const) {
    for (const { name, value, items } of side === 'in' ? level.inlets : level.outlets) {
      const id = portId(scope, side, value);
      if (isRoot) task.nodes.push({ id, ...tagSize(name) });
      else (side === 'in' ? task.inlets : task.outlets).push(id);
      for (const item of items) {
        const [from, to] = side === 'in' ? [id, item] : [item, id];
        task.edges.push({ id: `${from}→${to}`, from, to });
      }
    }
  }
}

function flatten(laid: Laid, origin: Point, depth: number, scene: Scene, isRoot: boolean): void {
  const { level, layout, scope } = laid;
  const moved = (id: string): Box => {
    const box = layout.boxes[id] ?? { x: 0, y: 0, width: 0, height: 0 };
    return { ...box, x: box.x + origin.x, y: box.y + origin.y };
  };
  for (const item of level.items) {
    const open = laid.inside.get(item.path);
    const lines = laid.lines.get(item.path) ?? [];
    const box = moved(item.path);
    scene.nodes.push({ id: item.path, kind: open ? 'box' : 'item', path: item.path, name: item.name, depth, box, lines, item });
    if (open) flatten(open, box, depth + 1, scene, false);
  }
  for (const { name, value, type, from, to } of level.portals) {
    for (const item of from === null ? to : [null, ...to]) {
      const id = tagId(scope, value, item);
      scene.nodes.push({ id, kind: 'tag', path: scope, name, depth, box: moved(id), lines: [], value, type });
    }
  }
  for (const side of ['in', 'out'] as const) {
    for (const { name, value, type } of side === 'in' ? level.inlets : level.outlets) {
      const id = portId(scope, side, value);
      const at = layout.ports[id];
      const box = isRoot || !at ? moved(id) : { x: origin.x + at.x - 5, y: origin.y + at.y - 5, width: 10, height: 10 };
      scene.nodes.push({ id, kind: isRoot ? 'tag' : 'port', path: scope, name, depth, box, lines: [], value, type });
    }
  }
  scene.edges.push(...joinEnds(laid, origin, depth));
}

// All that is to be drawn, with places: every opened box holds the layout of its level.
export async function composeScene(input: SceneInput, layOut: LayOut): Promise<Scene | null> {
  const laid = await layScope(input.root, input, layOut, true);
  if (!laid) return null;
  const scene: Scene = { root: input.root, nodes: [], edges: [] };
  flatten(laid, { x: 0, y: 0 }, 0, scene, true);
  return scene;
}
