import type { LayoutTask, Raw } from './layout';

const GAP = { x: 26, y: 40 };
const PER_ROW = 40;

// A plain layout for scopes that are too large for a better one: each box below all that it needs, rows broken where
// they are too long. Linear in the size of the scope, without recursion.
export function layInRows(task: LayoutTask): Raw {
  const waits = new Map(task.nodes.map(({ id }) => [id, 0]));
  const users = new Map<string, string[]>();
  for (const { from, to } of task.edges) {
    if (from === to || !waits.has(from) || !waits.has(to)) continue;
    waits.set(to, (waits.get(to) ?? 0) + 1);
    users.set(from, [...(users.get(from) ?? []), to]);
  }
  const rank = new Map<string, number>();
  const ready = task.nodes.filter(({ id }) => waits.get(id) === 0).map(({ id }) => id);
  for (let next = 0; next < ready.length; next += 1) {
    const id = ready[next] as string;
    const own = rank.get(id) ?? 0;
    for (const user of users.get(id) ?? []) {
      rank.set(user, Math.max(rank.get(user) ?? 0, own + 1));
      const left = (waits.get(user) ?? 1) - 1;
      waits.set(user, left);
      if (left === 0) ready.push(user);
    }
  }
  const rows = new Map<number, typeof task.nodes>();
  for (const node of task.nodes) {
    const row = rank.get(node.id) ?? 0;
    rows.set(row, [...(rows.get(row) ?? []), node]);
  }
  const raw: Raw = { boxes: new Map(), ports: new Map(), bends: new Map() };
  let y = 0;
  for (const [, nodes] of [...rows].sort(([a], [b]) => a - b)) {
    for (let first = 0; first < nodes.length; first += PER_ROW) {
      const part = nodes.slice(first, first + PER_ROW);
      let x = -(part.reduce((sum, node) => sum + node.width + GAP.x, 0) / 2);
      for (const node of part) {
        raw.boxes.set(node.id, { x, y, width: node.width, height: node.height });
        x += node.width + GAP.x;
      }
      y += part.reduce((height, node) => Math.max(height, node.height), 0) + GAP.y;
    }
  }
  [...task.inlets, ...task.outlets].forEach((port) => raw.ports.set(port, 0));
  return raw;
}
