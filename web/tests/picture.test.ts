import { expect, it } from 'vitest';
import { colours, pictureOf, rangeOf } from '../src/inspect/heat';
import { bufferAt, rectangleOf, stepAt } from '../src/plan/picture';
import type { Plan } from '../src/wire/plan';
import { fits } from '../src/shell/palette';

const buffer = (name: string, offset: number, size: number, first: number, last: number) => ({ name, path: name, offset, size, first, last });
const plan: Plan = {
  version: 1, arena: 100, lower_bound: 90, waste: 0.1, variables: 1, scratch: 1, alive: [60, 100, 40],
  steps: ['a', 'b', 'c'].map((title) => ({ title, kind: 'elementwise', path: title })), buffers: [buffer('a', 0, 60, 0, 1), buffer('b', 60, 40, 1, 2)],
};
const frame = { left: 10, top: 0, width: 300, height: 200 };

it('the plan has steps from left to right and addresses from bottom to top', () => {
  expect(rectangleOf(plan, plan.buffers[0]!, frame)).toEqual({ x: 10, y: 80, width: 200, height: 120 });
  expect(rectangleOf(plan, plan.buffers[1]!, frame)).toEqual({ x: 110, y: 0, width: 200, height: 80 });
});

it('finds buffers and steps under the mouse', () => {
  expect(bufferAt(plan, frame, 50, 150)?.name).toBe('a');
  expect(bufferAt(plan, frame, 300, 20)?.name).toBe('b');
  expect(bufferAt(plan, frame, 20, 20)).toBeNull();
  expect(stepAt(plan, frame, 215)).toBe(2);
  expect(stepAt(plan, frame, 5)).toBeNull();
});

it('a tensor is pictures of its last two axes', () => {
  expect(pictureOf([2, 3, 28, 20])).toEqual({ width: 20, height: 28, slices: 6 });
  expect(pictureOf([7])).toEqual({ width: 7, height: 1, slices: 1 });
  expect(pictureOf([])).toEqual({ width: 1, height: 1, slices: 1 });
});

it('heat maps have both signs on either side of white, and show what is not finite', () => {
  const values = Float32Array.from([-1, 0, 1, NaN]);
  expect(rangeOf(values)).toEqual({ low: -1, high: 1 });
  const bytes = colours(values, rangeOf(values));
  expect([...bytes.slice(0, 3)]).toEqual([38, 96, 184]);
  expect([...bytes.slice(4, 7)]).toEqual([244, 244, 240]);
  expect([...bytes.slice(12, 16)]).toEqual([230, 0, 200, 255]);
});

it('the palette finds commands by letters in order', () => {
  expect(fits('Take a snapshot', 'snap')).toBe(true);
  expect(fits('Take a snapshot', 'tksh')).toBe(true);
  expect(fits('Take a snapshot', 'pots')).toBe(false);
});
