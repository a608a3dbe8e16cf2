import type { Scene, SceneNode } from './scene';

export type Direction = 'up' | 'down' | 'left' | 'right';

const middleOf = ({ box }: SceneNode) => ({ x: box.x + box.width / 2, y: box.y + Math.min(box.height, 40) / 2 });

// The next node in a direction: the nearest one, with those that an edge leads to before all others.
export function neighbourOf(scene: Scene, id: string | null, direction: Direction): string | null {
  const stops = scene.nodes.filter(({ kind }) => kind === 'item' || kind === 'box');
  const own = stops.find((node) => node.id === id);
  if (!own) return stops[0]?.id ?? null;
  const from = middleOf(own);
  const along = direction === 'up' || direction === 'down' ? 'y' : 'x';
  const across = along === 'y' ? 'x' : 'y';
  const sign = direction === 'down' || direction === 'right' ? 1 : -1;
  const joined = new Set(scene.edges.flatMap((edge) => (edge.from === id ? [edge.to] : edge.to === id ? [edge.from] : [])));
  let best: string | null = null;
  let least = Infinity;
  for (const node of stops) {
    const at = middleOf(node);
    const ahead = (at[along] - from[along]) * sign;
    if (node.id === id || ahead < 4) continue;
    const cost = ahead + 2.5 * Math.abs(at[across] - from[across]) - (joined.has(node.id) ? 1e5 : 0);
    if (cost < least) [least, best] = [cost, node.id];
  }
  return best;
}
