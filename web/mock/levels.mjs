import { cardOf, attributesOf, replacementsOf } from './cards.mjs';
import { sizeOf } from './views.mjs';

const PORTAL = 8;
const last = (path) => path.slice(path.lastIndexOf('/') + 1);
const pathOf = (value) => value.replace(/:\d+$/, '');

// The item of `scope` that holds a path; null when it lies outside.
function itemOf(scope, path) {
  const prefix = scope === '' ? '' : `${scope}/`;
  return path.startsWith(prefix) ? prefix + path.slice(prefix.length).split('/')[0] : null;
}

export const has = (graph, path) => path === '' || graph.nodes.has(path) || graph.scopes.has(path);

export function levelOf(graph, scope, frozen) {
  const inside = [...graph.nodes.values()].filter(({ path }) => itemOf(scope, path) !== null);
  const items = new Map();
  for (const node of inside) {
    const path = itemOf(scope, node.path);
    items.set(path, [...(items.get(path) ?? []), node]);
  }
  const links = new Map();
  const inlets = new Map();
  const outlets = new Map();
  const users = new Map();
  const add = (map, key, path) => map.set(key, new Set([...(map.get(key) ?? []), path]));
  for (const node of graph.nodes.values()) {
    const to = itemOf(scope, node.path);
    for (const value of node.inputs) {
      const from = itemOf(scope, pathOf(value));
      if (from === to) continue;
      if (to !== null && from !== null) (links.set(`${from} ${to} ${value}`, { from, to, value }), add(users, value, to));
      else if (to !== null) add(inlets, value, to);
      else if (from !== null) add(outlets, value, from);
    }
  }
  for (const { path, flags } of inside) if (flags.includes('output') && scope !== '') add(outlets, `${path}:0`, itemOf(scope, path));
  const typeOf = (value) => graph.nodes.get(pathOf(value))?.type ?? '';
  const portals = [...users].filter(([, to]) => to.size > PORTAL);
  const many = new Set(portals.map(([value]) => value));
  const edges = new Map();
  for (const { from, to, value } of links.values()) {
    if (many.has(value)) continue;
    const key = `${from} ${to}`;
    const known = edges.get(key);
    edges.set(key, known ? { ...known, count: known.count + 1 } : { from, to, value, type: typeOf(value), count: 1, skips: false });
  }
  markSkips([...items.keys()], edges);
  const port = ([value, paths]) => ({ name: last(pathOf(value)), value, type: typeOf(value), items: [...paths] });
  return {
    scope, title: graph.scopes.get(scope)?.op ?? '',
    items: [...items].map(([path, nodes]) => itemFor(graph, path, nodes, [...items.keys()], frozen)),
    edges: [...edges.values()], inlets: [...inlets].map(port), outlets: [...outlets].map(port),
    portals: portals.map(([value, to]) => ({ name: last(pathOf(value)), value, type: typeOf(value), from: itemOf(scope, pathOf(value)), to: [...to] })),
  };
}

// An edge skips when there is a longer way between its ends.
function markSkips(paths, edges) {
  const next = new Map(paths.map((path) => [path, []]));
  for (const { from, to } of edges.values()) next.get(from)?.push(to);
  for (const edge of edges.values()) {
    const open = next.get(edge.from).filter((path) => path !== edge.to);
    const seen = new Set(open);
    while (open.length > 0) {
      const path = open.pop();
      if (path === edge.to) { edge.skips = true; break; }
      for (const user of next.get(path) ?? []) if (!seen.has(user)) (seen.add(user), open.push(user));
    }
  }
}

export function repeatsOf(path, siblings) {
  const match = /^(.*_)(\d+)$/.exec(path);
  if (!match || !/block_\d+$/.test(path)) return undefined;
  const same = siblings.filter((other) => other.startsWith(match[1]) && /^\d+$/.test(other.slice(match[1].length)));
  return same.length > 1 ? { of: `${match[1]}0`, index: Number(match[2]), count: same.length } : undefined;
}

function itemFor(graph, path, nodes, siblings, frozen) {
  const scope = graph.scopes.get(path);
  const end = nodes.at(-1);
  const variables = nodes.flatMap((node) => node.variables);
  const flags = [...new Set(nodes.flatMap((node) => node.flags))].filter((flag) => !scope || flag === 'output');
  if (variables.length > 0 && variables.every(({ name }) => frozen.has(name))) flags.push('frozen');
  const repeats = repeatsOf(path, siblings);
  return {
    path, name: last(path), op: scope ? scope.op : (end.title ?? end.op), category: (scope ?? end).category, opens: scope !== undefined,
    nodes: nodes.length, parameters: variables.reduce((sum, { count }) => sum + count, 0),
    outputs: [{ name: 'y', type: end.type }], flags, role: end.role, origins: end.origins,
    ...(repeats ? { repeats } : {}), seconds: nodes.length * 2.1e-5, bytes: nodes.reduce((sum, node) => sum + sizeOf(node.type), 0), flops: nodes.length * 1e6,
  };
}

const empty = { en: '', ru: '' };

export function describe(graph, path, frozen) {
  const scope = graph.scopes.get(path);
  const inside = [...graph.nodes.values()].filter((node) => node.path === path || node.path.startsWith(`${path}/`));
  const end = inside.at(-1);
  const op = scope ? scope.op : end.op;
  const card = cardOf(op);
  const outer = graph.nodes.values();
  const own = new Set(inside.map((node) => `${node.path}:0`));
  const to = [...outer].filter((node) => !inside.includes(node) && node.inputs.some((value) => own.has(value))).map((node) => node.path);
  const from = [...new Set(inside.flatMap((node) => node.inputs))].filter((value) => !own.has(value));
  const variables = inside.flatMap((node) => node.variables).map((variable) => ({ ...variable, trainable: !frozen.has(variable.name) }));
  const replacements = scope ? [] : replacementsOf(op);
  const siblings = [...graph.scopes.keys()].filter((other) => !other.includes('/') || other.startsWith(path.slice(0, path.lastIndexOf('/') + 1)));
  const repeats = repeatsOf(path, siblings);
  return {
    path, scopes: path.split('/').slice(0, -1).map((_, index, parts) => parts.slice(0, index + 1).join('/')), op, category: (scope ?? end).category, title: { en: op || last(path), ru: op || last(path) }, what: card?.what ?? empty, why: card?.why ?? empty,
    formula: card?.formula?.mathml ?? '', formula_text: card?.formula?.text ?? '', ...(variables[0] ? { role: variables[0].role } : {}),
    inputs: from.map((value, index) => ({ name: card?.inputs?.[index]?.name ?? `x${index}`, from: pathOf(value), value, type: graph.nodes.get(pathOf(value))?.type ?? '' })),
    outputs: [{ name: 'y', value: `${end.path}:0`, type: end.type, to, ...(end.flags.includes('output') ? { output_as: last(end.path) } : {}) }],
    attributes: attributesOf(op, (scope ?? end).attrs), variables, replacements, flags: end.flags, origins: end.origins ?? [], where: 'gpt.cpp:42',
    ...(replacements.length === 0 ? { why_not: { en: `Only an activation can be replaced; ${op || 'a scope'} is none.`, ru: `Заменить можно только функцию активации, а ${op || 'область'} ею не является.` } } : {}),
    ...(end.literal && !scope ? { literal: { type: end.type, values: end.literal, elided: end.elided ?? false } } : {}), ...(repeats ? { repeats } : {}),
  };
}
