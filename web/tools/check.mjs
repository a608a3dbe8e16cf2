import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Rules of this folder that the compiler does not know: small files (made ones aside), no `any`, no address of a registry in the lock file.
const root = fileURLToPath(new URL('..', import.meta.url));
const MOST_LINES = 250;
const problems = [];

function* files(folder) {
  for (const name of readdirSync(join(root, folder))) {
    const path = join(folder, name);
    if (statSync(join(root, path)).isDirectory()) yield* files(path);
    else yield path;
  }
}

for (const path of ['src', 'mock', 'tests', 'e2e', 'bench', 'tools'].flatMap((folder) => [...files(folder)])) {
  const text = readFileSync(join(root, path), 'utf8');
  const lines = text.split('\n').length;
  if (lines > MOST_LINES && !path.startsWith(join('src', 'generated'))) problems.push(`${path}: ${lines} lines, at most ${MOST_LINES}`);
  if (/\.tsx?$/.test(path) && /(:|<|as) any\b/.test(text)) problems.push(`${path}: the type 'any'`);
  if (/dangerouslySetInnerHTML|\.innerHTML\s*=/.test(text) && path !== join('tools', 'check.mjs')) problems.push(`${path}: markup from text`);
}
if (/"resolved":/.test(readFileSync(join(root, 'package-lock.json'), 'utf8'))) problems.push('package-lock.json: addresses of downloads');

problems.forEach((problem) => console.error(problem));
process.exit(problems.length > 0 ? 1 : 0);
