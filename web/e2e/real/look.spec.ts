import { goTo, inspector, node, open, step } from '../lab';
import { button, expect, mean, points, state, takeStep, test } from './program';

test('shows the graph, and opens and closes boxes', async ({ page, program: _ }) => {
  await expect(node(page, 'block')).toContainText('TransformerBlock');
  await expect(node(page, 'block')).toContainText('[batch, 8, 32]');
  await open(page, 'block');
  await expect(node(page, 'block/attention')).toBeAttached();
  await node(page, 'block').getByRole('button', { name: 'Collapse: block' }).click();
  await expect(node(page, 'block/attention')).toHaveCount(0);
});

test('a click shows the panel in both languages', async ({ page, program: _ }) => {
  await node(page, 'norm').locator('.main').click();
  await expect(inspector(page)).toContainText('Shifts and scales the features');
  await expect(inspector(page).locator('math').first()).toBeVisible();
  await page.getByRole('button', { name: 'RU', exact: true }).click();
  await expect(inspector(page)).toContainText('Приводит признаки каждой позиции');
  await expect(inspector(page)).not.toContainText('Shifts and scales the features');
});

test('statistics under the mouse and in the panel change while it trains', async ({ page, program: _ }) => {
  await button(page, 'Run').click();
  await node(page, 'head').locator('.main').hover();
  const hover = page.getByTestId('hover');
  await expect(hover).toContainText('deviation');
  const shown = await hover.locator('.facts').textContent();
  await expect(hover.locator('.facts')).not.toHaveText(shown ?? '');
  await node(page, 'head').locator('.main').click();
  await expect(mean(page)).toBeVisible();
  const before = await mean(page).textContent();
  await expect(mean(page)).not.toHaveText(before ?? '');
  await expect(page.locator('[data-side=gradient] [data-fact=mean]')).toBeVisible();
  await expect(inspector(page).locator('canvas.heat')).toBeVisible();
});

test('runs, pauses and steps; no point of the curve is lost', async ({ page, program: _ }) => {
  await button(page, 'Run').click();
  await expect.poll(() => step(page)).toBeGreaterThan(30);
  await button(page, 'Pause').click();
  await expect(state(page)).toContainText('paused');
  const at = await step(page);
  await takeStep(page);
  await expect.poll(() => points(page)).toBe(at + 1);
});

test('finds a node inside layers', async ({ page, program: _ }) => {
  await page.locator('#search').fill('feed_forward/act');
  await page.keyboard.press('Enter');
  await expect(inspector(page)).toHaveAttribute('data-path', 'block/feed_forward/activation');
  await expect(node(page, 'block/feed_forward/activation')).toBeInViewport();
});

test('five views, with the selection carried over', async ({ page, program: _ }) => {
  await takeStep(page); // the plan is that of a batch
  await goTo(page, 'block/feed_forward/activation');
  for (const view of ['expanded', 'gradient', 'optimised']) {
    await page.locator(`[data-view=${view}]`).click();
    await expect(inspector(page)).toHaveAttribute('data-path', /block\/feed_forward/);
    await expect(page.locator('.node.selected')).toBeAttached();
  }
  await page.locator('[data-view=model]').click();
  await expect(inspector(page)).toHaveAttribute('data-path', /^block\/feed_forward/);
  await page.locator('[data-view=plan]').click();
  const picture = page.getByRole('img', { name: /Memory of the plan/ });
  await picture.hover({ position: { x: 60, y: 60 } });
  await expect(page.getByTestId('plan-readout')).toContainText('Memory in use');
});
