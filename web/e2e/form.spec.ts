import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, goTo, inspector, node, open, row, step, test } from './lab';

// Texts that do not fit their element, where it does not scroll.
const clipped = (page: Page) => page.evaluate(() =>
  Array.from(document.querySelectorAll<HTMLElement>('.bar *, .crumbs *, .side *, .charts header *, .outline *, .node .main, .node .name, .node .line, .node .title, .tag, .figures *'))
    .filter((element) => element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1 && !element.matches('.hidden, .formula, .formula *, svg *, input, select, .outline, .uplot *'))
    .map((element) => `${element.tagName}.${element.className} “${element.textContent?.slice(0, 40)}” ${element.scrollWidth} > ${element.clientWidth}`));

const overlapping = (page: Page) => page.evaluate(() => {
  const boxes = Array.from(document.querySelectorAll('.node.item, .tag')).map((element) => ({ name: element.textContent, box: element.getBoundingClientRect() }));
  return boxes.flatMap((a, index) => boxes.slice(index + 1)
    .filter(({ box }) => a.box.left < box.right - 1 && box.left < a.box.right - 1 && a.box.top < box.bottom - 1 && box.top < a.box.bottom - 1)
    .map((b) => `${a.name} / ${b.name}`));
});

async function check(page: Page): Promise<void> {
  expect(await clipped(page)).toEqual([]);
  expect(await overlapping(page)).toEqual([]);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).slice(0, 3).join(', ')}`)).toEqual([]);
}

for (const [width, height] of [[1280, 720], [1920, 1080]] as const) {
  for (const theme of ['light', 'dark'] as const) {
    for (const lang of ['en', 'ru'] as const) {
      test(`${width}×${height} ${theme} ${lang}: nothing clipped, nothing overlaps, axe is content`, async ({ page, lab: _ }) => {
        const shot = (name: string) => page.screenshot({ path: `screenshots/${name}-${width}-${theme}-${lang}.png` });
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme: theme });
        await page.getByRole('button', { name: lang.toUpperCase(), exact: true }).click();
        await page.locator('.bar .button.primary').click();
        await expect.poll(() => step(page)).toBeGreaterThan(12);
        await open(page, 'block_0');
        await expect(node(page, 'block_0/attention')).toBeAttached();
        await goTo(page, 'block_0/feed_forward/activation');
        await expect(page.locator('[data-side=gradient]')).toBeVisible();
        await page.locator('.bar .button.primary').click();
        await page.mouse.move(5, 5);
        await page.keyboard.press('f');
        await page.waitForTimeout(400);
        await check(page);
        await shot('model');
        await page.locator('#tab-training').click();
        await page.locator('[data-view=gradient]').click();
        await expect(row(page, 'update')).toBeAttached();
        await expect(page.locator('.node.selected')).toBeInViewport();
        await page.waitForTimeout(300);
        await page.locator('#tab-training').click();
        await check(page);
        await shot('gradient');
        await page.locator('[data-view=plan]').click();
        await expect(page.locator('.plan canvas')).toBeVisible();
        await check(page);
        await shot('plan');
      });
    }
  }
}

test('axe is content with the menu, the palette and the list of keys', async ({ page, lab: _ }) => {
  await node(page, 'head').locator('.main').click({ button: 'right' });
  await expect(page.getByRole('menu')).toBeVisible();
  await check(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await check(page);
  await page.screenshot({ path: 'screenshots/palette.png' });
  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+?');
  await check(page);
  await page.screenshot({ path: 'screenshots/keys.png' });
  await page.keyboard.press('Escape');
  await page.locator('#search').fill('attention');
  await expect(page.locator('#found [role=option]').first()).toBeVisible();
  await check(page);
});

test('a theme switch loses nothing of the curves, and they can be saved', async ({ page, lab: _ }) => {
  for (let count = 0; count < 3; count += 1) await page.getByRole('button', { name: 'Step', exact: true }).click();
  await expect(page.locator('[data-chart=loss]')).toHaveAttribute('data-points', '3');
  await page.getByRole('button', { name: /^Theme/ }).click();
  await page.getByRole('button', { name: /^Theme/ }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.locator('[data-chart=loss]')).toHaveAttribute('data-points', '3');
  const [csv] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as CSV' }).click()]);
  expect(csv.suggestedFilename()).toMatch(/\.csv$/);
  await node(page, 'head').locator('.main').click();
  await expect(inspector(page)).toContainText('Linear');
});
