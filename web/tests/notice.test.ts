import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { licensed, noticeOf, packageFolder, withDependencies } from '../tools/notice';

let root = '';
beforeEach(() => { root = mkdtempSync(join(tmpdir(), 'notice-')); });
afterEach(() => rmSync(root, { recursive: true }));

function put(name: string, more: Record<string, unknown> = {}, text: string | null = 'Do as you like.'): string {
  const folder = join(root, 'node_modules', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version: '1.2.3', license: 'MIT', ...more }));
  if (text !== null) writeFileSync(join(folder, 'LICENSE'), text);
  return folder;
}

it('a module belongs to the innermost package', () => {
  expect(packageFolder('/a/node_modules/@x/y/dist/z.js')).toBe('/a/node_modules/@x/y');
  expect(packageFolder('/a/node_modules/b/node_modules/c/d.js?commonjs')).toBe('/a/node_modules/b/node_modules/c');
  expect(packageFolder('/a/src/main.tsx')).toBeNull();
});

it('what a package depends on is told too, but for types', () => {
  put('@types/inner');
  const outer = put('outer', { dependencies: { inner: '*', '@types/inner': '*', absent: '*' } });
  const inner = put('inner');
  expect(withDependencies([outer])).toEqual([outer, inner]);
});

it('the notice holds every name, version and licence', () => {
  const text = noticeOf([licensed(put('b', {}, 'Second.')), licensed(put('a', {}, 'First.'))]);
  expect(text).toContain('a 1.2.3 (MIT)\nb 1.2.3 (MIT)');
  expect(text.indexOf('First.')).toBeLessThan(text.indexOf('Second.'));
});

it('a package without a licence stops the build', () => {
  expect(() => licensed(put('bare', {}, null))).toThrow('no licence');
});
