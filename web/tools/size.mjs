import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

// The page must be quick over a tunnel: its main script may have at most 180 kB when packed.
const MOST = 180_000;
const folder = new URL('../dist/assets/', import.meta.url);
let failed = false;
for (const name of readdirSync(folder).filter((each) => each.endsWith('.js') || each.endsWith('.css'))) {
  const size = gzipSync(readFileSync(new URL(name, folder))).length;
  console.log(`${(size / 1000).toFixed(1).padStart(7)} kB  ${name}`);
  failed ||= name.startsWith('index') && size > MOST;
}
if (failed) {
  console.error(`The main script is larger than ${MOST / 1000} kB.`);
  process.exit(1);
}
