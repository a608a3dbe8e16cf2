import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

// The browser of the system, headless and without a graphics card, as the tests use it.
export function launch() {
  const executablePath = process.env.CHROMIUM ?? PATHS.find((path) => existsSync(path));
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

// Times are taken inside the page, by its own clock: how long an answer takes to come back to this script does not
// count. `drawn` waits until something holds in the document, then for the frame that shows it.
function probe() {
  const drawn = (holds) =>
    new Promise((resolve) => {
      const look = () => {
        if (holds()) requestAnimationFrame(() => resolve(performance.now()));
        else requestAnimationFrame(look);
      };
      look();
    });
  const paths = () => new Set([...document.querySelectorAll('.canvas .node[data-path]')].map((node) => node.dataset.path));
  const rendered = () => document.querySelectorAll('.react-flow__node').length;
  const nameOf = (button) => button.getAttribute('aria-label') ?? button.textContent.trim();
  const canRun = () => [...document.querySelectorAll('header button')].some((button) => nameOf(button) === 'Run' && !button.disabled);
  window.lab = { drawn, paths, rendered, canRun };
  window.lab.usable = drawn(() => canRun() && paths().size > 0);
}

// A page with nothing in its cache, when it is usable: after how many milliseconds, and the levels that came.
export async function openPage(browser, address) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, locale: 'en-GB' });
  const page = await context.newPage();
  const levels = [];
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => {
    if (typeof payload === 'string' && payload.startsWith('{"event":"level"')) levels.push(JSON.parse(payload));
  }));
  await page.addInitScript(probe);
  await page.goto(address);
  const usable = await page.evaluate(() => window.lab.usable);
  return { page, usable, levels, close: () => context.close() };
}

export const middleOf = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

// What so large a share of them does not exceed.
export const shareOf = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
