import { expect, test } from 'vitest';
import { linesOf } from '../src/graph/measure';
import type { Item } from '../src/wire/types';

const item = (type: string): Item => ({
  path: 'x', name: 'x', op: 'Input', category: 'leaf', opens: false, nodes: 1, parameters: 0,
  outputs: [{ name: 'y', type }], flags: [], role: 'forward',
});
const badges = { shape: true, dtype: true, parameters: false, time: false, memory: false };

test('lengths that are symbols are shown by name', () => {
  expect(linesOf(item('f32[batch, 8, 8]'), badges, 'en')).toContain('f32[batch, 8, 8]');
  expect(linesOf(item('f32[]'), { ...badges, dtype: false }, 'en')).toContain('[]');
});
