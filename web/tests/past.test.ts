import { expect, it } from 'vitest';
import { foldLevel } from '../src/graph/fold';
import { passedBy } from '../src/graph/past';
import { edge, item, level } from './helpers';

const block = foldLevel(level('block', ['norm', 'attention', 'sum', 'other'].map((name) => item(name)), [edge('norm', 'attention'), edge('attention', 'sum')]), []);

it('a value that also enters further on leads past what lies between', () => {
  expect([...passedBy(block, ['norm', 'sum'])]).toEqual(['sum']);
});

it('one that enters beside, or only once, does not', () => {
  expect([...passedBy(block, ['norm', 'other'])]).toEqual([]);
  expect([...passedBy(block, ['sum'])]).toEqual([]);
});
