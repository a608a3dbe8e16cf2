import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { goTo, inspector, node, open, row, settle, step } from '../lab';
import { button, expect, LONG_STEPS, mean, points, state, takeStep, test } from './program';

const ACTIVATION = 'block/feed_forward/activation';

test('shows the graph; a box opens in place and closes', async ({ page, program: _ }) => {
  expect(new URL(page.url()).search).toBe(''); // the token is not left in the address
  await page.keyboard.press('f');
  for (const path of ['features', 'embed', 'block', 'norm', 'head', 'loss']) await expect(node(page, path)).toBeVisible();
  await expect(node(page, 'block')).toContainText('TransformerBlock');
  await expect(node(page, 'block')).toContainText('[batch, 8, 32]');
  const before = await node(page, 'block').boundingBox();
  await open(page, 'block');
  await expect(node(page, 'block/attention')).toBeAttached();
  await settle(page);
  const after = await node(page, 'block').boundingBox();
  expect(after?.height).toBeGreaterThan((before?.height ?? 0) * 2);
  expect(after?.x).toBeCloseTo(before?.x ?? 0, 0);
  expect(after?.y).toBeCloseTo(before?.y ?? 0, 0);
  await expect(page.locator('.edge-line.skips')).not.toHaveCount(0);
  await node(page, 'block').getByRole('button', { name: 'Collapse: block' }).click();
  await expect(node(page, 'block/attention')).toHaveCount(0);
});

test('looks inside a scope alone, and Escape leaves it', async ({ page, program: _ }) => {
  await node(page, 'block').locator('.main').click();
  await page.keyboard.press('Shift+Enter');
  await expect(page.getByRole('navigation', { name: 'Where you are' })).toContainText('block');
  await expect(node(page, 'block/attention')).toBeVisible();
  await expect(node(page, 'features')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(node(page, 'features')).toBeVisible();
});

test('a click shows the panel in both languages', async ({ page, program: _ }) => {
  await node(page, 'norm').locator('.main').click();
  await expect(inspector(page)).toContainText('Shifts and scales the features');
  await expect(inspector(page).locator('math').first()).toBeVisible();
  await expect(inspector(page)).toContainText('norm.scale');
  await page.getByRole('button', { name: 'RU', exact: true }).click();
  await expect(inspector(page)).toContainText('Приводит признаки каждой позиции');
  await expect(inspector(page)).not.toContainText('Shifts and scales the features');
  await expect(page.locator('html')).toHaveAttribute('lang', 'ru');
});

const hoverEdge = async (page: Page, name: string) => {
  const at = await page.getByRole('img', { name, exact: true }).locator('.edge-touch').evaluate((line: SVGPathElement) => {
    const { x, y } = line.getPointAtLength(line.getTotalLength() / 2).matrixTransform(line.getScreenCTM() ?? undefined);
    return { x, y };
  });
  await page.mouse.move(at.x, at.y);
};

test('statistics under the mouse and in the panel change while it trains', async ({ page, program: _ }) => {
  await node(page, 'head').locator('.main').click();
  await expect(inspector(page)).toContainText('No batch has been seen yet');
  await button(page, 'Run').click();
  const hover = page.getByTestId('hover');
  for (const point of [() => node(page, 'norm').locator('.main').hover(), () => hoverEdge(page, 'Edge from block to norm')]) {
    await point();
    await expect(hover).toContainText('deviation');
    const shown = await hover.locator('.facts').textContent();
    await expect(hover.locator('.facts')).not.toHaveText(shown ?? '');
  }
  await expect(mean(page)).toBeVisible();
  const before = await mean(page).textContent();
  await expect(mean(page)).not.toHaveText(before ?? '');
  await expect(page.locator('[data-side=gradient] [data-fact=mean]')).toBeVisible();
  await expect(inspector(page).locator('canvas.heat')).toBeVisible();
});

test('a literal under the mouse shows its exact values', async ({ page, program: _ }) => {
  await node(page, 'weights').locator('.main').hover();
  await expect(page.getByTestId('hover')).toContainText('1, 1, 1, 1, 1, 1, 1, 1, 1, 1');
});

test.describe('of long steps', () => {
  test.use({ start: LONG_STEPS });

  test('runs, pauses and steps; no point of the curve is lost', async ({ page, program: _ }) => {
    await button(page, 'Run').click();
    await expect.poll(() => step(page)).toBeGreaterThan(30);
    await button(page, 'Pause').click();
    await expect(state(page)).toContainText('paused');
    const at = await step(page);
    await takeStep(page);
    await expect.poll(() => points(page)).toBe(at + 1);
  });
});

test('finds a node inside layers', async ({ page, program: _ }) => {
  await page.locator('#search').fill('no such thing');
  await expect(page.getByText('Nothing found for “no such thing”')).toBeVisible();
  await page.locator('#search').fill('feed_forward/act');
  await page.keyboard.press('Enter');
  await expect(inspector(page)).toHaveAttribute('data-path', ACTIVATION);
  await expect(node(page, ACTIVATION)).toBeInViewport();
});

test('five views, with the selection found in each', async ({ page, program: _ }) => {
  await takeStep(page); // the plan is that of a batch
  await goTo(page, ACTIVATION);
  for (const view of ['expanded', 'gradient', 'optimised', 'gradient', 'expanded', 'model']) {
    await page.locator(`[data-view=${view}]`).click();
    await expect(page.locator(`[data-view=${view}]`)).toHaveAttribute('aria-pressed', 'true');
    await expect(inspector(page)).toHaveAttribute('data-path', /block\/feed_forward/);
    await expect(page.locator('.node.selected')).toBeInViewport();
  }
  await page.locator('[data-view=plan]').click();
  const picture = page.getByRole('img', { name: /Memory of the plan/ });
  await picture.hover({ position: { x: 60, y: 60 } });
  await expect(page.getByTestId('plan-readout')).toContainText('Memory in use');
  await expect(inspector(page)).toHaveAttribute('data-path', /block\/feed_forward/);
});

test('the outline follows, badges and legend switch', async ({ page, program: _ }) => {
  await row(page, 'block').locator('.twist').click();
  await expect(row(page, 'block/attention')).toBeVisible();
  await page.keyboard.press('f');
  await expect(node(page, 'block/attention')).toBeAttached();
  await page.getByRole('button', { name: 'Badges' }).click();
  await page.getByLabel('Parameters').check();
  await expect(node(page, 'head')).toContainText('330');
  await page.keyboard.press('Escape');
  await page.keyboard.press('l');
  await expect(page.getByRole('list', { name: 'Legend' })).toContainText('Linear algebra');
});

test('another theme loses nothing of the curves, and they can be saved', async ({ page, program: _ }) => {
  for (let count = 0; count < 3; count += 1) await takeStep(page);
  await expect.poll(() => points(page)).toBe(3);
  for (const theme of ['light', 'dark']) {
    await page.getByRole('button', { name: /^Theme/ }).click();
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    expect(await points(page)).toBe(3);
  }
  const saved = page.waitForEvent('download', (each) => each.suggestedFilename() === 'loss.csv');
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  const lines = (await readFile(await (await saved).path(), 'utf8')).trim().split('\n');
  expect(lines.map((line) => line.split(',')[0])).toEqual(['step', '1', '2', '3']);
  const picture = page.waitForEvent('download', (each) => each.suggestedFilename() === 'loss.png');
  await page.getByRole('button', { name: 'Save as PNG' }).click();
  const bytes = await readFile(await (await picture).path());
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
});
