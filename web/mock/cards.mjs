import { readFileSync } from 'node:fs';

// The real cards of the ops: titles, words, formulas and attributes, as the engine writes them.
const palette = JSON.parse(readFileSync(new URL('../../docs/ops/palette.json', import.meta.url), 'utf8'));
const cards = new Map(palette.ops.map((op) => [op.name, op]));

export const cardOf = (op) => cards.get(op);
export const categoryOf = (op) => cards.get(op)?.category ?? 'container';

const ACTIVATIONS = ['Relu', 'Gelu', 'Silu', 'Sigmoid', 'Tanh', 'LeakyRelu', 'Elu', 'Softplus', 'Mish', 'HardSwish'];
export const replacementsOf = (op) =>
  ACTIVATIONS.includes(op) ? ACTIVATIONS.filter((other) => other !== op).map((other) => ({ op: other, title: { en: other, ru: other } })) : [];

const KINDS = { real: 'number', integer: 'integer', text: 'text', boolean: 'boolean' };

// Attributes of a card with the values that a node gives; only plain ones whose change keeps the types may be changed.
export function attributesOf(op, values) {
  const free = new Set(['alpha', 'approximate', 'dropout', 'epsilon', 'causal']);
  return (cards.get(op)?.attributes ?? [])
    .filter(({ kind }) => kind in KINDS)
    .map(({ name, kind, choices, least, most, words, default: usual }) => ({
      name, kind: KINDS[kind], value: values[name] ?? usual ?? null, default: usual ?? null,
      ...(choices ? { choices } : {}), ...(least !== undefined ? { least } : {}), ...(most !== undefined ? { most } : {}),
      keeps_shape: free.has(name), words,
    }));
}
