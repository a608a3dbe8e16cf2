import type { Edge, Item, Level, Port, Portal } from '../wire/types';

export interface FoldedItem extends Item {
  folded: number; // how many of the same structure it stands for
}

// A port, or several of the same items as one.
export interface FoldedPort extends Port {
  values: string[];
}

export interface FoldedLevel {
  items: FoldedItem[];
  edges: Edge[];
  inlets: FoldedPort[];
  outlets: FoldedPort[];
  portals: Portal[];
}

// Shows neighbours of the same structure as one item, unless they are unfolded. Edges inside the chain go away, those
// that enter or leave it are joined to the one that is left.
export function foldLevel(level: Level, unfolded: readonly string[]): FoldedLevel {
  const stands = new Map<string, string>();
  for (const { path, repeats } of level.items) {
    const folds = repeats !== undefined && repeats.count > 1 && !unfolded.includes(repeats.of);
    const first = folds ? level.items.find((item) => item.repeats?.of === repeats.of && item.repeats.index === 0) : undefined;
    stands.set(path, first?.path ?? path);
  }
  const standing = (path: string): string => stands.get(path) ?? path;
  const all = (paths: readonly string[]): string[] => [...new Set(paths.map(standing))];
  return {
    items: level.items
      .filter(({ path }) => standing(path) === path)
      .map((item) => ({ ...item, folded: [...stands.values()].filter((first) => first === item.path).length })),
    edges: merge(level.edges.map((edge) => ({ ...edge, from: standing(edge.from), to: standing(edge.to) }))),
    inlets: joinPorts(level.inlets.map((port) => ({ ...port, items: all(port.items) }))),
    outlets: joinPorts(level.outlets.map((port) => ({ ...port, items: all(port.items) }))),
    portals: joinPortals(level.portals.map((portal) => ({ ...portal, from: portal.from === null ? null : standing(portal.from), to: all(portal.to) }))),
  };
}

const MOST_PORTS = 3;

// A layer whose gradient reads all that it computed would have a line for each value. More than a few ports of the same
// items become one.
function joinPorts(ports: Port[]): FoldedPort[] {
  const groups = new Map<string, Port[]>();
  for (const port of ports) {
    const key = port.items.join('\n');
    groups.set(key, [...(groups.get(key) ?? []), port]);
  }
  return [...groups.values()].flatMap((group) => {
    const first = group[0];
    if (first === undefined || group.length <= MOST_PORTS) return group.map((port) => ({ ...port, values: [port.value] }));
    return [{ ...first, name: `${first.name} +${group.length - 1}`, values: group.map(({ value }) => value) }];
  });
}

// Folded blocks would have the portals of each of them side by side: more than a few with the
// same ends become one.
function joinPortals(portals: Portal[]): Portal[] {
  const groups = new Map<string, Portal[]>();
  for (const portal of portals) {
    const to = portal.to.filter((path) => path !== portal.from);
    if (to.length === 0) continue;
    const key = [portal.from ?? '', ...to].join('\n');
    groups.set(key, [...(groups.get(key) ?? []), { ...portal, to }]);
  }
  return [...groups.values()].flatMap((group) => {
    const first = group[0];
    if (first === undefined || group.length <= MOST_PORTS) return group;
    return [{ ...first, name: `${first.name.replace(/ \+\d+$/, '')} +${group.length - 1}` }];
  });
}

function merge(edges: Edge[]): Edge[] {
  const merged = new Map<string, Edge>();
  for (const edge of edges) {
    if (edge.from === edge.to) continue;
    const key = `${edge.from}\n${edge.to}`;
    const known = merged.get(key);
    merged.set(key, known ? { ...known, count: Math.max(known.count, edge.count), skips: known.skips && edge.skips } : edge);
  }
  return [...merged.values()];
}
