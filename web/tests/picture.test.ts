import { describe, expect, it } from 'vitest';
import { colours, drawnSize, photograph, pictureOf, rangeOf } from '../src/inspect/heat';
import { bufferAt, partOf, rectangleOf, stepAt } from '../src/plan/picture';
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
  expect(pictureOf([2, 3, 28, 20])).toEqual({ width: 20, height: 28, channels: 1, slices: 6 });
  expect(pictureOf([7])).toEqual({ width: 7, height: 1, channels: 1, slices: 1 });
  expect(pictureOf([])).toEqual({ width: 1, height: 1, channels: 1, slices: 1 });
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

describe('photographs', () => {
  it('have colours on an axis of three, where they are large enough', () => {
    expect(pictureOf([5, 3, 32, 32], true)).toEqual({ width: 32, height: 32, channels: 3, slices: 5 });
    expect(pictureOf([5, 3, 32, 32])).toMatchObject({ channels: 1, slices: 15 });
    expect(pictureOf([5, 3, 4, 4], true)).toMatchObject({ channels: 1, slices: 15 });
  });

  it('go from black to white, with three planes as colours', () => {
    const grey = photograph(new Float32Array([0, 1, NaN]), 1, { low: 0, high: 1 });
    expect([...grey]).toEqual([0, 0, 0, 255, 255, 255, 255, 255, 230, 0, 200, 255]);
    const coloured = photograph(new Float32Array([1, 0, 0.5]), 3, { low: 0, high: 1 });
    expect([...coloured]).toEqual([255, 0, 128, 255]);
  });

  it('keep their proportions, and a long strip stays high enough to be seen', () => {
    expect(drawnSize({ width: 8, height: 8, channels: 1, slices: 1 })).toEqual({ width: 180, height: 180 });
    expect(drawnSize({ width: 512, height: 1, channels: 1, slices: 1 })).toEqual({ width: 318, height: 24 });
  });
});

it('a buffer belongs to a part of the step', () => {
  expect(partOf('forward/block/buffer_3')).toBe('forward');
  expect(partOf('gradient/loss/buffer_9')).toBe('gradient');
  expect(partOf('constants/buffer_1')).toBe('rest');
  expect(partOf('forward')).toBe('rest');
});
