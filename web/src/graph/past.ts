import type { FoldedLevel } from './fold';

// Of the items that one value from outside goes to, those that also come after another of them: to these it leads past
// what lies between, as a residual connection does.
export function passedBy(level: FoldedLevel, items: readonly string[]): Set<string> {
  const past = new Set<string>();
  if (items.length < 2) return past;
  const users = new Map<string, string[]>();
  for (const { from, to } of level.edges) {
    const known = users.get(from);
    if (known) known.push(to);
    else users.set(from, [to]);
  }
  const ends = new Set(items);
  const seen = new Set<string>();
  const open = [...items];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const user of users.get(next) ?? []) {
      if (ends.has(user)) past.add(user);
      if (!seen.has(user)) {
        seen.add(user);
        open.push(user);
      }
    }
  }
  return past;
}
