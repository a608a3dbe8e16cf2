import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { settle } from '../lab';
import { expect } from './program';

// Whatever holds text must be wide enough for it. What scrolls is left out (fields for any text scroll too), and so is what only screen readers
// see (one pixel wide); of the graph, which is larger than its window by nature, the boxes count.
const clipped = (page: Page) => page.evaluate(() => {
  const scrolls = (element: Element) => element.matches('input[role=combobox]') || /auto|scroll/.test(getComputedStyle(element).overflowX);
  const textOf = (element: HTMLElement) => (element instanceof HTMLInputElement ? element.value : (element.textContent ?? ''));
  const counts = (element: HTMLElement) =>
    textOf(element).trim() !== '' && element.clientWidth > 1 && !scrolls(element) && (element.closest('.react-flow') === null || element.closest('.node, .tag') !== null);
  return Array.from(document.body.querySelectorAll<HTMLElement>('*'))
    .filter((element) => element instanceof HTMLElement && counts(element))
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map((element) => `${element.tagName}.${element.className} “${textOf(element).slice(0, 40)}” ${element.scrollWidth} > ${element.clientWidth}`);
});

// Boxes may touch nothing; only an open box may hold others, wholly.
const overlapping = (page: Page) => page.evaluate(() => {
  const boxes = Array.from(document.querySelectorAll('.node.item, .node.box, .tag')).map((element) => ({
    name: element.getAttribute('data-path') ?? element.textContent, open: element.matches('.box'), ...element.getBoundingClientRect().toJSON() as DOMRect,
  }));
  type Box = (typeof boxes)[number];
  const meet = (a: Box, b: Box) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const holds = (a: Box, b: Box) => a.open && a.left <= b.left + 1 && a.right >= b.right - 1 && a.top <= b.top + 1 && a.bottom >= b.bottom - 1;
  return boxes.flatMap((a, index) => boxes.slice(index + 1).filter((b) => meet(a, b) && !holds(a, b) && !holds(b, a)).map((b) => `${a.name} / ${b.name}`));
});

// One run tells of all states that are not well.
const eachTime = expect.configure({ soft: true, timeout: 10_000 });

// All rules of axe, on the whole page. It runs inside the page at once (there are no frames), and works out the details of what is wrong only:
// that takes a quarter of the time.
export async function violations(page: Page): Promise<string[]> {
  const found = await new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] }).analyze();
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).slice(0, 3).join(', ')}`);
}

export async function expectReachable(page: Page, where = ''): Promise<void> {
  eachTime(await violations(page), where).toEqual([]);
}

export async function expectTidy(page: Page, where = ''): Promise<void> {
  await settle(page);
  await eachTime.poll(() => clipped(page), `clipped: ${where}`).toEqual([]);
  await eachTime.poll(() => overlapping(page), `boxes that meet: ${where}`).toEqual([]);
}

const SIZES = [{ width: 1920, height: 1080 }, { width: 1280, height: 720 }];

// One state of the page in both sizes and both themes.
export async function expectGoodForm(page: Page, state: string): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await expectTidy(page, `${state}, ${size.width} wide`);
  }
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    await expectReachable(page, `${state}, ${colorScheme}`);
  }
}
