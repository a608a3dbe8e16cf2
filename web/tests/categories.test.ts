import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { en } from '../src/words/en';

const categories = Object.keys(en).flatMap((key) => /^cat_(.*)$/.exec(key)?.[1] ?? []);

it('every category that has a name has a colour in both themes', () => {
  const tokens = readFileSync('src/styles/tokens.css', 'utf8').split(":root[data-theme='dark']");
  const rules = readFileSync('src/styles/categories.css', 'utf8');
  expect(categories.length).toBeGreaterThan(20);
  for (const category of categories) {
    expect([category, ...tokens.map((theme) => theme.includes(`--c-${category}:`)), rules.includes(`[data-category='${category}']`)]).toEqual([category, true, true, true]);
  }
});
