import { describe, expect, it } from 'vitest';
import { figuresOf, type Costs } from '../src/state/costs';
import type { Item } from '../src/wire/types';

const item = (path: string, role: Item['role'], figures: Partial<Item> = {}): Item =>
  ({ path, name: path, op: '', category: '', opens: false, nodes: 1, parameters: 0, outputs: [], flags: [], role, ...figures });
const seconds = { forward: 1, gradient: 2, update: 4 };
const bytes = { forward: 10, gradient: 20, update: 40 };
const costs: Costs = { version: 1, parts: { block: { path: 'block', seconds, bytes }, 'block/norm': { path: 'block/norm', bytes } } };

describe('what an item takes of a step', () => {
  it('is all of it in the model, and the part that a view shows elsewhere', () => {
    expect(figuresOf(item('block', 'forward'), 'model', costs)).toEqual({ seconds: 7, bytes: 70 });
    expect(figuresOf(item('block/', 'forward'), 'model', costs)).toEqual({ seconds: 7, bytes: 70 });
    expect(figuresOf(item('block', 'forward'), 'expanded', costs)).toEqual({ seconds: 1, bytes: 10 });
    expect(figuresOf(item('gradient/block', 'gradient'), 'gradient', costs)).toEqual({ seconds: 2, bytes: 20 });
    expect(figuresOf(item('update/block', 'update'), 'gradient', costs)).toEqual({ seconds: 4, bytes: 40 });
  });

  it('has no time before a step was measured, and nothing before it was planned', () => {
    expect(figuresOf(item('block/norm', 'forward'), 'model', costs)).toEqual({ seconds: undefined, bytes: 70 });
    expect(figuresOf(item('block', 'forward'), 'model', undefined)).toEqual({});
  });

  it('is what a step of the program says of itself', () => {
    expect(figuresOf(item('forward/Add', 'forward', { seconds: 3, bytes: 5 }), 'optimised', costs)).toMatchObject({ seconds: 3, bytes: 5 });
  });
});
