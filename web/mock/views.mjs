import { Graph } from './model.mjs';

// The views that follow from the model, simplified: names and numbers of nodes are plausible, not exact.

function copy(model, change = (node) => node) {
  const graph = new Graph();
  for (const scope of model.scopes.values()) graph.scopes.set(scope.path, { ...scope, op: '', category: 'container' });
  for (const node of model.nodes.values()) {
    const made = change({ ...node, origins: [node.path] });
    if (made) graph.nodes.set(made.path, made);
  }
  return graph;
}

export const expandedOf = (model) => copy(model);

const scopeOf = (path) => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const needsGradient = (node) => !node.flags.includes('constant') && !node.type.startsWith('i64');

export function gradientOf(model) {
  const graph = copy(model);
  const gradient = (value) => `gradient/${value.slice(0, -2)}`;
  for (const scope of model.scopes.values()) graph.scope(`gradient/${scope.path}`, '');
  graph.scope('gradient', '');
  graph.scope('update', '');
  const users = new Map();
  for (const node of model.nodes.values()) for (const value of node.inputs) users.set(value, [...(users.get(value) ?? []), node]);
  for (const node of [...model.nodes.values()].reverse()) {
    if (!needsGradient(node)) continue;
    const above = (users.get(`${node.path}:0`) ?? []).filter(needsGradient).map((user) => `${gradient(`${user.path}:0`)}:0`);
    const op = node.op === 'loss.CrossEntropy' ? 'Sub' : node.op === 'MatMul' ? 'MatMul' : 'Mul';
    graph.node(gradient(`${node.path}:0`), op, [...above, ...node.inputs.slice(0, 1)], node.type, { role: 'gradient', origins: [node.path], category: 'gradient' });
    for (const variable of node.variables) {
      graph.node(`update/${variable.name}`, 'Sub', [`${gradient(`${node.path}:0`)}:0`], variable.type, { role: 'update', origins: [node.path] });
    }
  }
  for (const path of graph.nodes.keys()) {
    for (let scope = scopeOf(path); scope !== ''; scope = scopeOf(scope)) if (!graph.scopes.has(scope)) graph.scope(scope, '');
  }
  return graph;
}

// Cheap ops are fused into the node that they follow.
export function optimisedOf(model) {
  const cheap = new Set(['Add', 'Mul', 'Relu', 'Gelu', 'Silu', 'Sigmoid', 'Tanh', 'LeakyRelu', 'Elu', 'Softplus', 'Mish', 'HardSwish', 'Reshape']);
  const into = new Map();
  const graph = new Graph();
  for (const scope of model.scopes.values()) graph.scopes.set(scope.path, { ...scope, op: '', category: 'container' });
  for (const node of model.nodes.values()) {
    const first = node.inputs[0]?.slice(0, -2);
    const host = first === undefined ? undefined : graph.nodes.get(into.get(first) ?? first);
    if (cheap.has(node.op) && host && host.op !== 'Input' && host.op !== 'Constant' && scopeOf(host.path).split('/')[0] === scopeOf(node.path).split('/')[0]) {
      into.set(node.path, host.path);
      host.origins.push(node.path);
      host.type = node.type;
      host.inputs.push(...node.inputs.slice(1).map((value) => `${into.get(value.slice(0, -2)) ?? value.slice(0, -2)}:0`));
      host.title = `${host.title ?? host.op}, ${node.op}`;
      continue;
    }
    graph.nodes.set(node.path, { ...node, origins: [node.path], inputs: node.inputs.map((value) => `${into.get(value.slice(0, -2)) ?? value.slice(0, -2)}:0`) });
  }
  for (const node of graph.nodes.values()) node.inputs = [...new Set(node.inputs)].filter((value) => value !== `${node.path}:0`);
  return graph;
}

export const sizeOf = (type) => {
  const [, dtype, dims] = /^(\w+)\[(.*)\]$/.exec(type);
  return (dims === '' ? 1 : dims.split(',').map(Number).reduce((a, b) => a * b, 1)) * (dtype === 'i64' ? 8 : 4);
};

// Calls in order with first-fit places of their results.
export function planOf(optimised, version) {
  const nodes = [...optimised.nodes.values()].filter(({ op }) => op !== 'Input' && op !== 'Constant');
  const index = new Map(nodes.map((node, at) => [node.path, at]));
  const last = new Map();
  nodes.forEach((node, at) => node.inputs.forEach((value) => last.set(value.slice(0, -2), at)));
  const buffers = [];
  nodes.forEach((node, first) => {
    const until = Math.max(first, last.get(node.path) ?? first);
    const size = Math.ceil(sizeOf(node.type) / 64) * 64;
    const alive = buffers.filter((each) => each.last >= first).sort((a, b) => a.offset - b.offset);
    let offset = 0;
    for (const each of alive) if (offset + size > each.offset && offset < each.offset + each.size) offset = each.offset + each.size;
    buffers.push({ name: node.path, path: node.path, offset, size, first, last: until });
  });
  const alive = nodes.map((_, at) => buffers.filter((each) => each.first <= at && each.last >= at).reduce((sum, each) => sum + each.size, 0));
  const arena = Math.max(...buffers.map((each) => each.offset + each.size));
  const bound = Math.max(...alive);
  return {
    version, arena, lower_bound: bound, waste: (arena - bound) / bound, variables: 9_800_000, scratch: 65536, buffers, alive,
    steps: nodes.map((node) => ({ title: node.title ?? node.op, kind: node.op === 'MatMul' ? 'matrix' : 'elementwise', path: node.path, seconds: 1e-5 * (1 + (index.get(node.path) % 7)) })),
  };
}
