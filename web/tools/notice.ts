import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

export interface Licensed {
  name: string;
  version: string;
  license: string;
  text: string;
}

// The folder of the package that a module was taken from; null for our own modules.
export function packageFolder(module: string): string | null {
  const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module.replaceAll('\\', '/').replace(/^\0/, ''));
  return match?.[1] ?? null;
}

export function licensed(folder: string): Licensed {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, string>;
  const file = readdirSync(folder).find((each) => /^licen[sc]e/i.test(each));
  if (name === undefined || license === undefined || file === undefined) throw new Error(`${folder}: no licence to be told with the page`);
  return { name, version: version ?? '', license, text: readFileSync(join(folder, file), 'utf8').trim() };
}

// A package may come ready made with others inside, so what it depends on is told too; types leave nothing behind.
export function withDependencies(folders: Iterable<string>): string[] {
  const all = new Set(folders);
  for (const folder of all) {
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { dependencies?: Record<string, string> };
    for (const name of Object.keys(dependencies ?? {}).filter((each) => !each.startsWith('@types/'))) {
      const found = [join(folder, 'node_modules', name), join(folder.slice(0, folder.lastIndexOf('node_modules/')), 'node_modules', name)].find(existsSync);
      if (found !== undefined) all.add(found.replaceAll('\\', '/'));
    }
  }
  return [...all];
}

export function noticeOf(packages: readonly Licensed[]): string {
  const sorted = [...packages].sort((a, b) => (a.name < b.name ? -1 : 1));
  const rule = '-'.repeat(72);
  return [
    'The page of the Model Lab holds these packages. Their licences follow.', '',
    ...sorted.map(({ name, version, license }) => `${name} ${version} (${license})`), '',
    ...sorted.flatMap(({ name, version, text }) => [rule, `${name} ${version}`, '', text, '']),
  ].join('\n');
}

// Writes NOTICE.txt beside the page: the licences of exactly those packages that are in it, the worker's among them.
export function notice(): { collect(): Plugin; write(): Plugin } {
  const folders = new Set<string>();
  const take = (modules: Iterable<string>): void => {
    for (const module of modules) {
      const folder = packageFolder(module);
      if (folder !== null && existsSync(join(folder, 'package.json'))) folders.add(folder);
    }
  };
  const hear: Plugin['generateBundle'] = (_, bundle) => Object.values(bundle).forEach((part) => part.type === 'chunk' && take(Object.keys(part.modules)));
  return {
    collect: () => ({ name: 'notice-of-worker', generateBundle: hear }),
    write: () => ({
      name: 'notice',
      apply: 'build',
      generateBundle(options, bundle, isWrite) {
        hear.call(this, options, bundle, isWrite);
        this.emitFile({ type: 'asset', fileName: 'NOTICE.txt', source: noticeOf(withDependencies(folders).map(licensed)) });
      },
    }),
  };
}
