import { expect, goTo, inspector, marks, node, open, step, test } from './lab';

test('replaces Relu by Gelu inside a block by right click, with a mark on the chart', async ({ page, lab: _ }) => {
  await page.getByRole('button', { name: 'Step', exact: true }).click();
  await open(page, 'block_0');
  await page.keyboard.press('f');
  await open(page, 'block_0/feed_forward');
  await page.keyboard.press('f');
  await expect(node(page, 'block_0/feed_forward/activation')).toContainText('Relu');
  await node(page, 'block_0/feed_forward/activation').locator('.main').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Gelu' }).click();
  await expect(node(page, 'block_0/feed_forward/activation')).toContainText('Gelu');
  await expect.poll(() => marks(page)).toBe(1);
  await page.getByRole('tab', { name: 'Journal' }).click();
  await expect(page.getByTestId('journal')).toContainText('Replace Relu at block_0/feed_forward/activation by Gelu');
  await page.getByRole('tab', { name: 'Training' }).click();
  await expect(page.getByTestId('training-panel')).toContainText('14 nodes computed');
});

test('undo and redo', async ({ page, lab: _ }) => {
  await goTo(page, 'block_0/feed_forward/activation');
  await inspector(page).getByRole('button', { name: 'Silu' }).click();
  await expect(inspector(page)).toContainText('Silu');
  const undo = page.getByRole('banner').getByRole('button', { name: 'Undo' });
  await expect(undo).toBeEnabled();
  await undo.click();
  await expect(inspector(page).getByRole('button', { name: 'Silu' })).toBeVisible();
  await page.keyboard.press('Control+Shift+z');
  await expect(inspector(page).getByRole('button', { name: 'Relu', exact: true })).toBeVisible();
  await expect(page.getByRole('banner').getByRole('button', { name: 'Redo' })).toBeDisabled();
});

test('edits a literal: a scalar and an array', async ({ page, lab: _ }) => {
  await node(page, 'temperature').locator('.main').click();
  await inspector(page).getByLabel('Set value').fill('0,5');
  await inspector(page).getByRole('button', { name: 'Set', exact: true }).click();
  await expect(inspector(page).getByRole('slider')).toHaveValue('0.5');
  await node(page, 'weights').locator('.main').click();
  await inspector(page).getByLabel('[3]').fill('2.5');
  await inspector(page).getByRole('button', { name: 'Set', exact: true }).click();
  await page.getByRole('tab', { name: 'Journal' }).click();
  await expect(page.getByTestId('journal')).toContainText('Set weights to 1, 1, 1');
  await expect(page.getByTestId('journal')).toContainText('Set temperature to 0.5');
});

test('settings that keep shapes can be changed, others cannot', async ({ page, lab: _ }) => {
  await node(page, 'norm').locator('.main').click();
  await inspector(page).getByLabel('epsilon').fill('0.001');
  await inspector(page).locator('form').filter({ has: page.getByLabel('epsilon') }).getByRole('button').click();
  await expect(inspector(page).getByLabel('epsilon')).toHaveValue('0.001');
  await node(page, 'head').locator('.main').click();
  await expect(inspector(page)).toContainText('units');
  await expect(inspector(page).getByLabel('units')).toHaveCount(0);
});

test('freezes and trains again', async ({ page, lab: _ }) => {
  await node(page, 'head').locator('.main').click();
  await inspector(page).getByRole('button', { name: 'Freeze' }).click();
  await expect(node(page, 'head')).toHaveClass(/frozen/);
  await inspector(page).getByRole('button', { name: 'Train again' }).click();
  await expect(node(page, 'head')).not.toHaveClass(/frozen/);
});

test('what cannot be done says why', async ({ page, lab: _ }) => {
  await node(page, 'logits').locator('.main').click({ button: 'right' });
  await expect(page.getByRole('menu')).toContainText('Only an activation can be replaced');
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Training' }).click();
  await page.getByRole('button', { name: 'Load latest' }).click();
  await expect(page.getByTestId('notice')).toContainText('A folder without checkpoints');
});

test('learning rate, schedule, snapshot and return, save, branch', async ({ page, lab: _ }) => {
  const panel = page.getByTestId('training-panel');
  await page.getByRole('tab', { name: 'Training' }).click();
  await page.getByRole('button', { name: 'Step', exact: true }).click();
  await panel.getByLabel('Learning rate').fill('0.01');
  await panel.getByLabel('Learning rate').press('Enter');
  await expect.poll(() => marks(page)).toBe(1);
  await panel.getByLabel('Schedule').selectOption('cosine');
  await panel.locator('form').filter({ has: page.getByLabel('Warm-up') }).getByRole('button', { name: 'Set' }).click();
  await expect(panel).toContainText('cosine(steps 1000');
  await panel.getByLabel('Name').fill('before');
  await panel.getByRole('button', { name: 'Take a snapshot' }).click();
  await page.getByRole('button', { name: 'Step', exact: true }).click();
  await expect.poll(() => step(page)).toBe(2);
  await panel.getByRole('button', { name: 'Return' }).click();
  await expect.poll(() => step(page)).toBe(1);
  await panel.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByTestId('notice')).toContainText('runs/letters/step_1');
  await panel.getByRole('button', { name: 'Branch', exact: true }).click();
  await page.getByRole('combobox', { name: 'Training' }).selectOption({ label: 'letters @1' });
  await expect(panel).toContainText('branched from letters at step 1');
  await page.getByRole('region', { name: 'Charts' }).getByRole('button', { name: 'letters', exact: true }).click();
  await expect(page.locator('[data-chart=loss]')).toContainText('letters: Loss');
});

test('numbers that are not finite raise an alarm that leads to the node', async ({ page, lab: _ }) => {
  await page.getByRole('tab', { name: 'Training' }).click();
  await page.getByLabel('Learning rate').fill('5');
  await page.getByLabel('Learning rate').press('Enter');
  await page.getByRole('button', { name: 'Step', exact: true }).click();
  await expect(page.getByTestId('alarm')).toContainText('block_2/attention/shares');
  await page.getByRole('button', { name: 'Show the node' }).click();
  await expect(node(page, 'block_2/attention/shares')).toBeInViewport();
  await expect(node(page, 'block_2/attention/shares')).toHaveClass(/alarm/);
});
