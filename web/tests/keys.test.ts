import { expect, it } from 'vitest';
import { COMMANDS } from '../src/shell/commands';
import { inOtherLayout } from '../src/shell/keys';

it('commands by letters work in the Russian layout too', () => {
  expect(inOtherLayout('s')).toBe('ы');
  expect(inOtherLayout('$mod+Shift+z')).toBe('$mod+Shift+я');
  expect(inOtherLayout('Escape')).toBeNull();
  expect(inOtherLayout('1')).toBeNull();
  const letters = COMMANDS.flatMap(({ keys }) => (keys !== undefined && /(^|\+)[a-z]$/.test(keys) ? [keys] : []));
  expect(letters.length).toBeGreaterThan(10);
  expect(letters.filter((keys) => inOtherLayout(keys) === null)).toEqual([]);
});

it('no two commands have the same keys', () => {
  const keys = COMMANDS.flatMap((each) => each.keys ?? []);
  expect(new Set(keys).size).toBe(keys.length);
});
