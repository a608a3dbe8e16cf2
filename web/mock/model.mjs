import { categoryOf } from './cards.mjs';

// A graph as a flat list of plain nodes by path, with the scopes that hold them. Values are `path:0`.
export class Graph {
  nodes = new Map();
  scopes = new Map();

  scope(path, op, attrs = {}) {
    this.scopes.set(path, { path, op, category: op === '' ? 'container' : categoryOf(op), attrs });
    return path;
  }

  node(path, op, inputs, type, more = {}) {
    const attrs = more.attrs ?? {};
    this.nodes.set(path, { path, op, inputs, type, category: categoryOf(op), attrs, flags: [], variables: [], role: 'forward', origins: [], ...more });
    return `${path}:0`;
  }
}

const B = 12, T = 64, D = 128, H = 4, V = 96;
const f32 = (...dims) => `f32[${dims.join(', ')}]`;
export const BLOCKS = 12;

const weight = (path, slot, dims, en, ru) => ({
  name: `${path}.${slot}`, type: f32(...dims), kind: 'parameter', trainable: true, count: dims.reduce((a, b) => a * b, 1), role: { en, ru },
});

function linear(graph, path, input, from, to, type, en, ru) {
  graph.scope(path, 'nn.Linear', { units: to, bias: true });
  const product = graph.node(`${path}/product`, 'MatMul', [input], type, { variables: [weight(path, 'weight', [from, to], en, ru)] });
  return graph.node(`${path}/bias`, 'Add', [product], type, { variables: [weight(path, 'bias', [to], `bias of: ${en}`, `смещение: ${ru}`)] });
}

function norm(graph, path, input) {
  const type = f32(B, T, D);
  graph.scope(path, 'nn.LayerNorm', { epsilon: 1e-5 });
  return graph.node(`${path}/normalise`, 'LayerNormalization', [input], type, {
    attrs: { epsilon: 1e-5 },
    variables: [weight(path, 'scale', [D], 'scale γ of the norm', 'масштаб γ нормализации'), weight(path, 'shift', [D], 'shift β of the norm', 'сдвиг β нормализации')],
  });
}

function attention(graph, path, input, mask, index) {
  const flat = f32(B, T, D), heads = f32(B, H, T, D / H), square = f32(B, H, T, T);
  graph.scope(path, 'nn.MultiHeadAttention', { heads: H, causal: true });
  const part = (name, en, ru) => {
    const whole = linear(graph, `${path}/${name}`, input, D, D, flat, `${en} of block ${index}`, `${ru}, блок ${index}`);
    return graph.node(`${path}/${name}_heads`, 'Reshape', [whole], heads);
  };
  const query = part('query', 'query projection', 'проекция запросов');
  const key = part('key', 'key projection', 'проекция ключей');
  const value = part('value', 'value projection', 'проекция значений');
  const scores = graph.node(`${path}/scores`, 'MatMul', [query, key], square);
  const factor = graph.node(`${path}/factor`, 'Constant', [], 'f32[]', { flags: ['constant'], literal: [1 / Math.sqrt(D / H)] });
  const scaled = graph.node(`${path}/scaled`, 'Mul', [scores, factor], square);
  const masked = graph.node(`${path}/masked`, 'Add', [scaled, mask], square);
  const shares = graph.node(`${path}/shares`, 'Softmax', [masked], square, { attrs: { axis: -1 } });
  const mixed = graph.node(`${path}/mixed`, 'MatMul', [shares, value], heads);
  const joined = graph.node(`${path}/joined`, 'Reshape', [mixed], flat);
  return linear(graph, `${path}/project`, joined, D, D, flat, `output projection of block ${index}`, `выходная проекция, блок ${index}`);
}

function block(graph, index, input, mask) {
  const path = `block_${index}`, type = f32(B, T, D), wide = f32(B, T, 4 * D);
  graph.scope(path, 'nn.TransformerBlock', { heads: H, hidden: 4 * D });
  const attended = attention(graph, `${path}/attention`, norm(graph, `${path}/norm_1`, input), mask, index);
  const sum = graph.node(`${path}/add_1`, 'Add', [input, attended], type);
  const normed = norm(graph, `${path}/norm_2`, sum);
  graph.scope(`${path}/feed_forward`, 'nn.FeedForward', { hidden: 4 * D, activation: 'Relu' });
  const up = linear(graph, `${path}/feed_forward/up`, normed, D, 4 * D, wide, `widening weight of block ${index}`, `расширяющий вес, блок ${index}`);
  const active = graph.node(`${path}/feed_forward/activation`, 'Relu', [up], wide);
  const down = linear(graph, `${path}/feed_forward/down`, active, 4 * D, D, type, `narrowing weight of block ${index}`, `сужающий вес, блок ${index}`);
  return graph.node(`${path}/add_2`, 'Add', [sum, down], type);
}

// A GPT of twelve blocks on letters.
export function makeModel() {
  const graph = new Graph();
  const type = f32(B, T, D);
  const tokens = graph.node('tokens', 'Input', [], `i64[${B}, ${T}]`, { flags: ['input'] });
  const targets = graph.node('targets', 'Input', [], `i64[${B}, ${T}]`, { flags: ['input'] });
  const mask = graph.node('mask', 'Constant', [], f32(T, T), { flags: ['constant'], literal: Array.from({ length: 256 }, (_, i) => (i % T > Math.floor(i / T) ? -1e9 : 0)), elided: true });
  graph.scope('embed', '');
  graph.scope('embed/tokens', 'nn.Embedding', { count: V, features: D });
  const rows = graph.node('embed/tokens/rows', 'Gather', [tokens], type, { variables: [weight('embed/tokens', 'weight', [V, D], 'a vector for each letter', 'вектор каждой буквы')] });
  graph.scope('embed/positions', 'nn.LearnedPosition', { length: T });
  let x = graph.node('embed/positions/sum', 'Add', [rows], type, { variables: [weight('embed/positions', 'weight', [T, D], 'a vector for each position', 'вектор каждой позиции')] });
  for (let index = 0; index < BLOCKS; index += 1) x = block(graph, index, x, mask);
  const last = norm(graph, 'norm', x);
  const head = linear(graph, 'head', last, D, V, f32(B, T, V), 'from features to letters', 'от признаков к буквам');
  const temperature = graph.node('temperature', 'Constant', [], 'f32[]', { flags: ['constant'], literal: [1] });
  const logits = graph.node('logits', 'Mul', [head, temperature], f32(B, T, V), { flags: ['output'] });
  const weights = graph.node('weights', 'Constant', [], 'f32[8]', { flags: ['constant'], literal: [1, 1, 1, 1, 1, 1, 1, 1] });
  const spread = graph.node('weighted', 'Mul', [logits, weights], f32(B, T, V));
  graph.node('loss', 'loss.CrossEntropy', [spread, targets], 'f32[]', { flags: ['output'], role: 'loss', category: 'loss' });
  return graph;
}
