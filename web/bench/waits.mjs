import { middleOf, openPage } from './browser.mjs';
import { startLab } from './program.mjs';

const worstOf = (values) => Math.max(...values);

// From the beginning of the navigation to a page that shows the graph and can run it, each time with an empty cache.
export async function measureOpening(browser, program, times) {
  const lab = await startLab(program, []);
  const took = [];
  for (let time = 0; time < times; ++time) {
    const { usable, close } = await openPage(browser, lab.address);
    took.push(usable);
    await close();
  }
  await lab.end();
  return { median: middleOf(took), worst: worstOf(took), times };
}

// From the wish to see the gradient view of a training that nobody has looked at so, to its nodes on the screen. Each
// time with a program of its own, which has made the graph before.
export async function measureGradient(browser, program, model, times) {
  const took = [];
  let primitives = 0;
  for (let time = 0; time < times; ++time) {
    const lab = await startLab(program, model);
    const { page, levels, close } = await openPage(browser, lab.address);
    took.push(await switchTo(page, 'gradient'));
    const level = levels.find(({ view, scope }) => view === 'gradient' && scope === '');
    primitives = level.items.reduce((sum, { nodes }) => sum + nodes, 0);
    await close();
    await lab.end();
  }
  return { median: middleOf(took), worst: worstOf(took), times, primitives };
}

export function switchTo(page, view) {
  return page.evaluate(async (name) => {
    const before = window.lab.paths();
    const button = document.querySelector(`[data-view=${name}]`);
    const start = performance.now();
    button.click();
    const shown = () => button.getAttribute('aria-pressed') === 'true' && [...window.lab.paths()].some((path) => !before.has(path));
    return (await window.lab.drawn(shown)) - start;
  }, view);
}

// From the click to what is inside on the screen, for boxes that were never open before. Each is closed again.
export async function measureExpanding(page, paths) {
  const took = [];
  for (const path of paths) {
    took.push(await expand(page, path));
    await collapse(page, path);
  }
  return { median: middleOf(took), worst: worstOf(took), times: took.length };
}

export function expand(page, path) {
  return page.evaluate(async (at) => {
    const button = document.querySelector(`.canvas .node[data-path="${at}"] button.open`);
    const start = performance.now();
    button.click();
    const inside = () => [...window.lab.paths()].some((each) => each.startsWith(`${at}/`));
    return (await window.lab.drawn(inside)) - start;
  }, path);
}

async function collapse(page, path) {
  await page.evaluate(async (at) => {
    document.querySelector(`.canvas .node[data-path="${at}"] button.open:last-of-type`).click();
    await window.lab.drawn(() => ![...window.lab.paths()].some((each) => each.startsWith(`${at}/`)));
  }, path);
  await showAll(page);
}

// The view moves by itself after a change; it is left to come to rest.
export async function showAll(page) {
  await page.keyboard.press('f');
  await page.waitForTimeout(300);
}
