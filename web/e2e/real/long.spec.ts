import { readFileSync, writeFileSync } from 'node:fs';
import { goTo, node } from '../lab';
import { expect, fileHere, test } from './program';

// A model from elsewhere without scopes: more than a thousand nodes in a row. The Lab divides it into parts, which no path names.
const ROW = 1200;

interface Node { id: number; op: string; in?: number[]; name?: string }

function writeLongModel(file: string): void {
  const graph = JSON.parse(readFileSync(fileHere('markup.json'), 'utf8')) as { nodes: Node[] };
  const bend = graph.nodes.find(({ op }) => op === 'Relu')!;
  const head = graph.nodes.find(({ name }) => name === 'head')!;
  const row = Array.from({ length: ROW }, (_, index) => ({ id: 100 + index, op: 'Relu', in: [index === 0 ? bend.id : 99 + index], name: `bend_${index}` }));
  head.in = [99 + ROW];
  graph.nodes.splice(graph.nodes.indexOf(head), 0, ...row);
  writeFileSync(file, JSON.stringify(graph));
}

test.use({
  start: async ({}, use, info) => {
    const file = info.outputPath('long.json');
    writeLongModel(file);
    await use({ what: [file, '--data', 'digits'], first: '1–35' });
  },
});

test('a node of a very long row is found in its part', async ({ page, program: _ }) => {
  expect(await page.locator('.canvas .node.item').count()).toBeLessThan(100);
  await goTo(page, 'bend_700');
  await expect(node(page, 'bend_700')).toHaveClass(/selected/);
  await expect(node(page, 'bend_700')).toBeInViewport();
});
