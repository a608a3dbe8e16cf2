import type { Scene } from './scene';

// All nodes and edges of the scene on a way from an input through `id` to an output.
export function routeThrough(scene: Scene, id: string): { nodes: Set<string>; edges: Set<string> } {
  const nodes = new Set<string>([id]);
  const edges = new Set<string>();
  const links = linksOf(scene);
  for (const side of ['from', 'to'] as const) {
    const open = [id];
    const seen = new Set(open);
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const { edge, other } of links[side].get(next) ?? []) {
        if (edge !== null) edges.add(edge);
        nodes.add(other);
        if (!seen.has(other)) {
          seen.add(other);
          open.push(other);
        }
      }
    }
  }
  return { nodes, edges };
}

interface Link {
  edge: string | null;
  other: string;
}

// Edges by their ends. An edge at an opened box goes on at the ports of the box, and the other way round.
function linksOf(scene: Scene): Record<'from' | 'to', Map<string, Link[]>> {
  const back = new Map<string, Link[]>();
  const forth = new Map<string, Link[]>();
  const add = (map: Map<string, Link[]>, at: string, link: Link) => map.set(at, [...(map.get(at) ?? []), link]);
  const join = (edge: string | null, from: string, to: string) => {
    add(forth, from, { edge, other: to });
    add(back, to, { edge, other: from });
  };
  const ports = scene.nodes.filter(({ kind }) => kind === 'port');
  const boxes = new Set(scene.nodes.filter(({ kind }) => kind === 'box').map(({ id }) => id));
  const portsOf = (box: string, side: 'in' | 'out', value: string) => {
    const own = ports.filter((port) => port.path === box && port.id.startsWith(`${box}#${side}:`));
    const match = own.filter((port) => port.value === value);
    return match.length > 0 ? match : own;
  };
  for (const { id, from, to, value } of scene.edges) {
    join(id, from, to);
    if (boxes.has(to)) portsOf(to, 'in', value).forEach((port) => join(null, to, port.id));
    if (boxes.has(from)) portsOf(from, 'out', value).forEach((port) => join(null, port.id, from));
  }
  return { from: back, to: forth };
}
