import { goTo, inspector, marks, node, open, step } from '../lab';
import { button, cone, expect, points, readCone, setLiteral, startProgram, state, takeStep, TEMPERATURE, test } from './program';

const ACTIVATION = 'block/feed_forward/activation';

test('replaces Relu by Gelu inside a block while it trains; the curve goes on with a mark', async ({ page, program: _ }) => {
  await button(page, 'Run').click();
  await expect.poll(() => step(page)).toBeGreaterThan(5);
  await open(page, 'block');
  await page.keyboard.press('f');
  await open(page, 'block/feed_forward');
  await page.keyboard.press('f');
  await expect(node(page, ACTIVATION)).toContainText('Relu');
  await node(page, ACTIVATION).locator('.main').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Gelu', exact: true }).click();
  await expect(node(page, ACTIVATION)).toContainText('Gelu');
  await expect.poll(() => marks(page)).toBe(1);
  await expect(state(page)).toContainText('training');
  const before = await points(page);
  await expect.poll(() => points(page)).toBeGreaterThan(before + 10);
  await page.getByRole('tab', { name: 'Journal' }).click();
  await expect(page.getByTestId('journal').locator('li')).toHaveCount(1);
  await expect(page.getByTestId('journal')).toContainText('Gelu');
});

test('edits a literal, a number and a list; each time only what depends on it is computed', async ({ page, program: _ }) => {
  await takeStep(page);
  await goTo(page, 'temperature');
  await setLiteral(page, '0,5');
  await expect(inspector(page).getByRole('slider', { name: 'Value' })).toHaveValue('0.5');
  await expect(cone(page)).toBeVisible();
  const first = await readCone(page);
  await setLiteral(page, '3');
  await expect(cone(page)).not.toContainText(first.loss);
  const second = await readCone(page);
  expect(second).toEqual({ ...first, loss: second.loss }); // the same nodes, and no others

  await goTo(page, 'weights');
  await inspector(page).getByLabel('[3]').fill('2.5');
  await inspector(page).getByRole('button', { name: 'Set', exact: true }).click();
  await expect(cone(page)).not.toContainText(second.loss);
  const later = await readCone(page);
  expect(later.all).toBe(first.all);
  expect(later.computed).toBe(first.computed - 1); // `weights` come after the division by the temperature

  await goTo(page, ACTIVATION);
  await inspector(page).getByRole('button', { name: 'Tanh', exact: true }).click();
  await expect(cone(page)).not.toContainText(later.loss);
  const earlier = await readCone(page);
  expect(earlier.computed).toBeGreaterThan(first.computed);
  expect(first.computed).toBeLessThan(first.all / 5);
  expect(earlier.computed).toBeLessThan(earlier.all);
  await takeStep(page);
  await expect(cone(page)).toHaveCount(0);
});

test('undo and redo', async ({ page, program: _ }) => {
  await goTo(page, ACTIVATION);
  await inspector(page).getByRole('button', { name: 'Silu', exact: true }).click();
  await expect(node(page, ACTIVATION)).toContainText('Silu');
  await button(page, 'Undo').click();
  await expect(node(page, ACTIVATION)).toContainText('Relu');
  await page.keyboard.press('Control+Shift+z');
  await expect(node(page, ACTIVATION)).toContainText('Silu');
  await expect(button(page, 'Redo')).toBeDisabled();
  await page.getByRole('tab', { name: 'Journal' }).click();
  await expect(page.getByTestId('journal').locator('li')).toHaveCount(3);
});

test('what cannot be done says why', async ({ page, program: _ }) => {
  await goTo(page, 'Constant#8');
  await setLiteral(page, '7'); // the axis of a mean over three
  await expect(page.getByTestId('notice')).toContainText('axis');
  await expect(button(page, 'Undo')).toBeDisabled();
  await goTo(page, 'head');
  await page.keyboard.press('m');
  await expect(page.getByRole('menu').locator('.reason')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Training' }).click();
  await expect(page.getByTestId('training-panel').getByRole('button', { name: 'Save' })).toBeDisabled();
  await expect(page.getByTestId('training-panel')).toContainText('This training has no folder');
});

test('settings that keep shapes can be changed, others cannot', async ({ page, program: _ }) => {
  await node(page, 'norm').locator('.main').click();
  await inspector(page).getByLabel('epsilon').fill('0.001');
  await inspector(page).getByLabel('epsilon').press('Enter');
  await expect(button(page, 'Undo')).toBeEnabled();
  await expect(inspector(page).getByLabel('epsilon')).toHaveValue('0.001');
  await node(page, 'head').locator('.main').click();
  await expect(inspector(page)).toContainText('units');
  await expect(inspector(page).getByLabel('units')).toHaveCount(0);
});

test('freezes and trains again, and resets a layer', async ({ page, program: _ }) => {
  await node(page, 'head').locator('.main').click();
  await inspector(page).getByRole('button', { name: 'Freeze' }).click();
  await expect(node(page, 'head')).toHaveClass(/frozen/);
  await inspector(page).getByRole('button', { name: 'Train again' }).click();
  await expect(node(page, 'head')).not.toHaveClass(/frozen/);
  await inspector(page).getByRole('button', { name: 'Reset weights' }).click();
  await page.getByRole('tab', { name: 'Journal' }).click();
  await expect(page.getByTestId('journal').locator('li')).toHaveCount(3);
  await expect(page.getByTestId('journal').locator('li').first()).toContainText(/reset/i);
});

test('learning rate, schedule, optimiser, snapshot and return, branch and overlay', async ({ page, program: _ }) => {
  const panel = page.getByTestId('training-panel');
  await takeStep(page);
  await page.getByRole('tab', { name: 'Training' }).click();
  await panel.getByLabel('Name').fill('before');
  await panel.getByRole('button', { name: 'Take a snapshot' }).click();
  await expect(panel.locator('li').filter({ hasText: 'before' }).getByRole('button', { name: 'Return' })).toBeVisible();
  await panel.getByLabel('Learning rate').fill('0.01');
  await panel.getByLabel('Learning rate').press('Enter');
  await expect.poll(() => marks(page)).toBe(2);
  await panel.getByLabel('Schedule').selectOption('cosine');
  await panel.locator('form').filter({ has: page.getByLabel('Warm-up') }).getByRole('button', { name: 'Set' }).click();
  await expect(panel).toContainText('Now: cosine');
  await panel.getByLabel('beta1').fill('0.8');
  await panel.getByLabel('beta1').press('Enter');
  await takeStep(page);
  await expect.poll(() => points(page)).toBe(2);
  await panel.locator('li').filter({ hasText: 'before' }).getByRole('button', { name: 'Return' }).click();
  await expect.poll(() => step(page)).toBe(1);
  await expect.poll(() => points(page)).toBe(1);
  await panel.getByRole('button', { name: 'Branch', exact: true }).click();
  await page.getByRole('combobox', { name: 'Training' }).selectOption({ label: 'temperature @1' });
  await expect(panel).toContainText('branched from temperature at step 1');
  await takeStep(page);
  await page.getByRole('region', { name: 'Charts' }).getByRole('button', { name: 'temperature', exact: true }).click();
  await expect(page.locator('[data-chart=loss]')).toContainText('temperature: training');
});

test('numbers that are not finite lead to the node that made them', async ({ page, program: _ }) => {
  await takeStep(page);
  await goTo(page, 'temperature');
  await setLiteral(page, '0');
  await expect(cone(page)).toBeVisible();
  await takeStep(page);
  const alarm = page.getByTestId('alarm');
  await expect(alarm).toContainText('scaled (Div)');
  await alarm.getByRole('button', { name: 'Show the node' }).click();
  await expect(inspector(page)).toHaveAttribute('data-path', 'scaled');
  await expect(node(page, 'scaled')).toBeInViewport();
  await expect(node(page, 'scaled')).toHaveClass(/alarm/);
  await button(page, 'Undo').click();
  await expect(cone(page)).toContainText(/edit \d/);
  await takeStep(page);
  await expect(alarm).toHaveCount(0);
});

test('saves a checkpoint and loads it again', async ({ page }, info) => {
  const program = await startProgram(TEMPERATURE, '0', '--set', `folder=${info.outputPath('run')}`);
  try {
    await page.goto(program.address);
    await takeStep(page);
    await page.getByRole('tab', { name: 'Training' }).click();
    const panel = page.getByTestId('training-panel');
    await panel.getByRole('button', { name: 'Load latest' }).click();
    await expect(page.locator('.notice.error')).toContainText(/checkpoint/);
    await panel.getByRole('button', { name: 'Save' }).click();
    await expect(page.locator('.notice.done')).toBeVisible();
    await takeStep(page);
    await panel.getByRole('button', { name: 'Load latest' }).click();
    await expect.poll(() => step(page)).toBe(1);
  } finally {
    await program.end();
  }
});
