import { expect, goTo, inspector, node, open, row, step, test } from './lab';

test('shows the graph with repetitions folded and a portal', async ({ page, lab }) => {
  expect(new URL(page.url()).search).toBe('');
  expect(lab.token).not.toBe('');
  await expect(node(page, 'block_0')).toContainText('×12');
  await expect(node(page, 'block_1')).toHaveCount(0);
  await expect(page.locator('.tag').filter({ hasText: 'mask' })).toHaveCount(2);
  await expect(node(page, 'loss')).toBeVisible();
});

test('a click shows the panel in both languages', async ({ page, lab: _ }) => {
  await goTo(page, 'block_0/feed_forward/activation');
  await expect(inspector(page)).toContainText('What it does');
  await expect(inspector(page)).toContainText('Keeps positive elements');
  await expect(inspector(page).locator('math')).toBeVisible();
  await page.getByRole('button', { name: 'RU', exact: true }).click();
  await expect(inspector(page)).toContainText('Что делает');
  await expect(inspector(page)).not.toContainText('Keeps positive elements');
  await expect(page.locator('html')).toHaveAttribute('lang', 'ru');
});

test('statistics change while it trains, gradients beside values', async ({ page, lab: _ }) => {
  await node(page, 'head').locator('.main').click();
  await expect(inspector(page)).toContainText('No batch has been seen yet');
  await page.getByRole('button', { name: 'Run' }).click();
  const mean = page.locator('[data-side=value] [data-fact=mean]');
  await expect(mean).toBeVisible();
  const before = await mean.textContent();
  await expect(mean).not.toHaveText(before ?? '');
  await expect(page.locator('[data-side=gradient] [data-fact=mean]')).toBeVisible();
  await expect(inspector(page).locator('canvas.heat')).toBeVisible();
});

test('runs, pauses and steps', async ({ page, lab: _ }) => {
  await page.getByRole('button', { name: 'Step', exact: true }).click();
  await expect.poll(() => step(page)).toBe(1);
  await page.getByRole('button', { name: 'Run' }).click();
  await expect.poll(() => step(page)).toBeGreaterThan(5);
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByTestId('state')).toContainText('paused');
  const at = await step(page);
  await page.getByRole('button', { name: 'Step', exact: true }).click();
  await expect.poll(() => step(page)).toBe(at + 1);
  await expect(page.locator('[data-chart=loss]')).toHaveAttribute('data-points', String(at + 1));
});

test('expands in place and collapses; the box stays where it is', async ({ page, lab: _ }) => {
  const before = await node(page, 'block_0').boundingBox();
  await open(page, 'block_0');
  await expect(node(page, 'block_0/attention')).toBeAttached();
  await expect.poll(async () => (await node(page, 'block_0').boundingBox())?.height ?? 0).toBeGreaterThan((before?.height ?? 0) * 2);
  const after = await node(page, 'block_0').boundingBox();
  expect(Math.abs((after?.x ?? 0) - (before?.x ?? 0))).toBeLessThan(2);
  expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(2);
  await expect(page.locator('.port')).not.toHaveCount(0);
  await node(page, 'block_0').getByRole('button', { name: 'Collapse: block_0' }).click();
  await expect(node(page, 'block_0/attention')).toHaveCount(0);
});

test('looks inside a scope, and Escape leaves it', async ({ page, lab: _ }) => {
  await node(page, 'block_0').locator('.main').click();
  await page.keyboard.press('Shift+Enter');
  await expect(page.getByRole('navigation', { name: 'Where you are' })).toContainText('block_0');
  await expect(node(page, 'block_0/attention')).toBeVisible();
  await expect(node(page, 'tokens')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(node(page, 'tokens')).toBeVisible();
});

test('finds a node and unfolds what hides it', async ({ page, lab: _ }) => {
  await page.locator('#search').fill('gelu');
  await expect(page.getByText('Nothing found for “gelu”')).toBeVisible();
  await page.locator('#search').fill('block_7/feed_forward/act');
  await page.keyboard.press('Enter');
  await expect(inspector(page)).toHaveAttribute('data-path', 'block_7/feed_forward/activation');
  await expect(node(page, 'block_7/feed_forward/activation')).toBeInViewport();
});

test('five views, with the selection carried over', async ({ page, lab: _ }) => {
  await goTo(page, 'block_1/feed_forward/activation');
  for (const view of ['expanded', 'gradient', 'optimised']) {
    await page.locator(`[data-view=${view}]`).click();
    await expect(inspector(page)).toHaveAttribute('data-path', /block_1\/feed_forward/);
    await expect(page.locator('.node.selected')).toBeAttached();
  }
  await page.locator('[data-view=plan]').click();
  const picture = page.getByRole('img', { name: /Memory of the plan/ });
  await picture.hover({ position: { x: 40, y: 300 } });
  await expect(page.getByTestId('plan-readout')).toContainText('Memory in use');
  await page.locator('[data-view=model]').click();
  await expect(inspector(page)).toHaveAttribute('data-path', /block_1\/feed_forward/);
});

test('hovering a node, an edge and a literal shows a card', async ({ page, lab: _ }) => {
  await page.getByRole('button', { name: 'Step', exact: true }).click();
  await node(page, 'weights').hover();
  await expect(page.getByTestId('hover')).toContainText('1, 1, 1, 1, 1, 1, 1, 1');
  await node(page, 'norm').hover();
  await expect(page.getByTestId('hover')).toContainText('deviation');
  const at = await page.locator('.edge-touch').first().evaluate((line: SVGPathElement) => {
    const { x, y } = line.getPointAtLength(line.getTotalLength() / 2).matrixTransform(line.getScreenCTM() ?? undefined);
    return { x, y };
  });
  await page.mouse.move(at.x, at.y);
  await expect(page.getByTestId('hover')).toContainText(/f32|i64/);
});

test('the outline follows, and badges and legend switch', async ({ page, lab: _ }) => {
  await row(page, 'block_0').locator('.twist').click();
  await expect(row(page, 'block_0/attention')).toBeVisible();
  await page.getByRole('button', { name: 'Badges' }).click();
  await page.getByLabel('Parameters').check();
  await expect(node(page, 'head')).toContainText('θ');
  await page.getByRole('button', { name: 'Legend' }).click();
  await expect(page.getByRole('list', { name: 'Legend' })).toContainText('Linear algebra');
});
