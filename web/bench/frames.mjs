import { middleOf, shareOf } from './browser.mjs';
import { expand, showAll } from './waits.mjs';

const MOST_NODES = 300;

// Opens one box after the other, those of a block before the next block, for as long as all that is rendered together
// stays below the limit.
export async function openMany(page) {
  for (;;) {
    const rendered = await page.evaluate(() => window.lab.rendered());
    const next = await page.evaluate(() => document.querySelector('.canvas .node.item:has(> button.open)')?.dataset.path);
    if (next === undefined || rendered > MOST_NODES * 0.8) return;
    await expand(page, next);
    await showAll(page);
  }
}

// Frames while the graph is dragged about and zoomed in and out by the wheel: the time from each to the next.
export async function measureFrames(page, seconds) {
  await page.evaluate(() => {
    const frames = { deltas: [], nodes: [], last: 0, goes: true };
    window.lab.frames = frames;
    const note = (now) => {
      if (frames.last > 0) frames.deltas.push(now - frames.last);
      frames.last = now;
      frames.nodes.push(window.lab.rendered());
      if (frames.goes) requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
  const box = await page.locator('.react-flow__pane').boundingBox();
  const end = Date.now() + 1000 * seconds;
  while (Date.now() < end) {
    await drag(page, box);
    await zoom(page, box);
  }
  const { deltas, nodes } = await page.evaluate(() => {
    window.lab.frames.goes = false;
    return window.lab.frames;
  });
  const most = Math.max(...nodes);
  if (most > MOST_NODES) throw new Error(`${most} nodes were rendered, at most ${MOST_NODES} were wanted`);
  return { median: middleOf(deltas), p95: shareOf(deltas, 0.95), frames: deltas.length, least_nodes: Math.min(...nodes), most_nodes: most };
}

// There and back, from a corner where there is nothing but ground.
async function drag(page, box) {
  const from = { x: box.x + 12, y: box.y + box.height / 2 };
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  for (let step = 0; step <= 60; ++step) {
    const way = Math.sin((step / 60) * Math.PI);
    await page.mouse.move(from.x + 160 * way, from.y + 90 * way);
  }
  await page.mouse.up();
}

// Nearer and back again, so that no more is rendered than at the beginning.
async function zoom(page, box) {
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  for (const direction of [-1, 1]) {
    for (let step = 0; step < 30; ++step) await page.mouse.wheel(0, direction * 30);
  }
}
