import { expect, goTo, inspector, node, open, row, step, test } from './lab';

test('a reload restores view, selection, open boxes and the curve', async ({ page, lab: _ }) => {
  await page.getByRole('button', { name: 'Run' }).click();
  await expect.poll(() => step(page)).toBeGreaterThan(8);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.locator('[data-view=expanded]').click();
  await open(page, 'block_0');
  await node(page, 'block_0').locator('.main').click();
  const at = await step(page);
  await page.reload();
  await expect(node(page, 'block_0/attention')).toBeAttached();
  await expect(inspector(page)).toHaveAttribute('data-path', 'block_0');
  await expect(page.locator('[data-view=expanded]')).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(() => step(page)).toBe(at);
  await expect(page.locator('[data-chart=loss]')).toHaveAttribute('data-points', String(at));
});

test('comes back after the connection was lost, with the state as it is', async ({ page, lab }) => {
  await goTo(page, 'block_0/norm_1');
  await page.getByRole('button', { name: 'Run' }).click();
  await expect.poll(() => step(page)).toBeGreaterThan(3);
  await lab.drop(1500);
  await expect(page.getByTestId('connection')).toContainText('Connection lost');
  await expect(node(page, 'block_0/norm_1')).toBeAttached();
  const at = await step(page);
  await expect(page.getByTestId('connection')).toHaveCount(0);
  await expect.poll(() => step(page)).toBeGreaterThan(at + 3);
  const mean = page.locator('[data-side=value] [data-fact=mean]');
  const before = await mean.textContent();
  await expect(mean).not.toHaveText(before ?? '');
});

test('a page that may only look cannot change anything', async ({ page, lab }) => {
  await page.goto(lab.address(true));
  await expect(page.getByTestId('read-only')).toHaveText('Read only');
  await expect(page.getByRole('button', { name: 'Run' })).toBeDisabled();
  await goTo(page, 'block_0/feed_forward/activation');
  await expect(inspector(page).getByRole('button', { name: 'Gelu' })).toBeDisabled();
  await page.keyboard.press('m');
  await expect(page.getByRole('menuitem', { name: 'Gelu' })).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('menu')).toContainText('may look, but not change');
});

test('two pages see the same training', async ({ page, lab, context }) => {
  const other = await context.newPage();
  await other.goto(lab.address());
  await expect(node(other, 'temperature')).toBeVisible();
  await expect(page.getByTestId('clients')).toContainText('2');
  await goTo(other, 'block_0/feed_forward/activation');
  await goTo(page, 'block_0/feed_forward/activation');
  await page.bringToFront();
  await inspector(page).getByRole('button', { name: 'Tanh' }).click();
  await other.bringToFront();
  await expect(inspector(other).getByRole('button', { name: 'Relu', exact: true })).toBeVisible();
  await expect(other.getByRole('banner').getByRole('button', { name: 'Undo' })).toBeEnabled();
  await other.close();
  await expect(page.getByTestId('clients')).toHaveCount(0);
});

test('everything by keyboard alone', async ({ page, lab: _ }) => {
  await page.keyboard.press('Space');
  await expect(page.getByTestId('state')).toContainText('training');
  await page.keyboard.press('Space');
  await expect(page.getByTestId('state')).toContainText('paused');
  await row(page, 'tokens').focus();
  for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect(row(page, 'block_0/feed_forward')).toBeVisible();
  for (let presses = 0; presses < 5; presses += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect(row(page, 'block_0/feed_forward/activation')).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(inspector(page)).toHaveAttribute('data-path', 'block_0/feed_forward/activation');
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menu')).toBeVisible();
  const gelu = page.getByRole('menuitem', { name: 'Gelu' });
  for (let presses = 0; presses < 12 && !(await gelu.evaluate((entry) => entry === document.activeElement)); presses += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(node(page, 'block_0/feed_forward/activation')).toContainText('Gelu');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('undo');
  await page.keyboard.press('Enter');
  await expect(node(page, 'block_0/feed_forward/activation')).toContainText('Relu');
  await page.keyboard.press('Shift+?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('3');
  await expect(page.locator('[data-view=gradient]')).toHaveAttribute('aria-pressed', 'true');
});
