import { expect, test } from 'vitest';
import { linesOf, nodeLabel, opBeside, shorten, sizeOf, textWidth } from '../src/graph/measure';
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

test('a folder that gives many things tells how much is in it', () => {
  const folder = { ...item('f32[2]'), op: '', opens: true, nodes: 12, outputs: [{ name: 'a', type: 'f32[2]' }, { name: 'b', type: 'f32[3]' }] };
  expect(linesOf(folder, badges, 'en')).toEqual(['12 nodes']);
  expect(linesOf(folder, badges, 'ru')).toEqual(['узлов: 12']);
  expect(linesOf({ ...folder, outputs: folder.outputs.slice(1) }, badges, 'en')).toEqual(['f32[3]']);
});

test('a long name is cut in its middle to what fits, a short one stays', () => {
  const long = 'a'.repeat(60) + 'middle' + 'z'.repeat(60);
  const cut = shorten(long, 13, 600, 200);
  expect(cut).toMatch(/^a+…z+$/);
  expect(textWidth(cut, 13, 600)).toBeLessThanOrEqual(200);
  expect(textWidth(`${cut}z`, 13, 600)).toBeGreaterThan(190);
  expect(shorten('short', 13)).toBe('short');
});

test('a name of any length makes no box wider than one of the longest that is shown', () => {
  const named = (name: string) => sizeOf({ ...item('f32[]'), name }, [], 1).width;
  expect(named('x'.repeat(10_000))).toBeLessThan(320);
  expect(nodeLabel('x'.repeat(10_000)).length).toBeLessThan(60);
});

test('the op stands beside a name that does not tell it', () => {
  expect(opBeside({ name: 'head', op: 'nn.Linear' })).toBe('Linear');
  expect(opBeside({ name: 'Add#4', op: 'Add' })).toBe('');
  expect(opBeside({ name: 'flatten', op: 'Flatten' })).toBe('');
});
