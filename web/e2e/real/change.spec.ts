import { goTo, inspector, marks, node, step } from '../lab';
import { button, cone, expect, setTemperature, state, takeStep, test } from './program';

const ACTIVATION = 'block/feed_forward/activation';

test('replaces an activation inside a block while it trains; the curve goes on with a mark', async ({ page, program: _ }) => {
  await button(page, 'Run').click();
  await expect.poll(() => step(page)).toBeGreaterThan(5);
  await goTo(page, ACTIVATION);
  await expect(node(page, ACTIVATION)).toContainText('Gelu');
  await node(page, ACTIVATION).locator('.main').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Relu', exact: true }).click();
  await expect(node(page, ACTIVATION)).toContainText('Relu');
  await expect.poll(() => marks(page)).toBe(1);
  await expect(state(page)).toContainText('training');
  const at = await step(page);
  await expect.poll(() => step(page)).toBeGreaterThan(at + 10);
});

test('a literal is edited, and only what depends on it is computed again', async ({ page, program: _ }) => {
  await takeStep(page);
  await goTo(page, 'temperature');
  await setTemperature(page, '0,5');
  await expect(inspector(page).getByRole('slider', { name: 'Value' })).toHaveValue('0.5');
  await expect(cone(page)).toBeVisible();
  const [computed = 0, all = 0] = ((await cone(page).textContent()) ?? '').match(/\d+(?= of)|\d+(?= nodes)/g)?.map(Number) ?? [];
  expect(computed).toBeGreaterThan(0);
  expect(computed).toBeLessThan(all / 2);
  const loss = await cone(page).textContent();
  await setTemperature(page, '3');
  await expect(cone(page)).not.toHaveText(loss ?? '');
  await takeStep(page);
  await expect(cone(page)).toHaveCount(0);
});

test('undo and redo', async ({ page, program: _ }) => {
  await goTo(page, ACTIVATION);
  await inspector(page).getByRole('button', { name: 'Silu', exact: true }).click();
  await expect(node(page, ACTIVATION)).toContainText('Silu');
  await button(page, 'Undo').click();
  await expect(node(page, ACTIVATION)).toContainText('Gelu');
  await button(page, 'Redo').click();
  await expect(node(page, ACTIVATION)).toContainText('Silu');
  await expect(button(page, 'Redo')).toBeDisabled();
  await page.getByRole('tab', { name: 'Journal' }).click();
  await expect(page.getByTestId('journal').locator('li')).toHaveCount(3);
});

test('what does not fit is refused with the reason', async ({ page, program: _ }) => {
  await goTo(page, 'Constant#8');
  await setTemperature(page, '7'); // the axis of a mean over three
  await expect(page.getByTestId('notice')).toBeVisible();
  await expect(button(page, 'Undo')).toBeDisabled();
});

test('learning rate, optimiser, freezing, snapshot and return, branch', async ({ page, program: _ }) => {
  const panel = page.getByTestId('training-panel');
  await takeStep(page);
  await page.getByRole('tab', { name: 'Training' }).click();
  await panel.getByRole('button', { name: 'Take a snapshot' }).click();
  await expect(panel.getByRole('button', { name: 'Return' })).toBeVisible();
  await panel.getByLabel('Learning rate').fill('0.01');
  await panel.getByLabel('Learning rate').press('Enter');
  await panel.getByLabel('weight_decay').fill('0.1');
  await panel.getByLabel('weight_decay').press('Enter');
  await takeStep(page);
  await panel.getByRole('button', { name: 'Return' }).click();
  await expect.poll(() => step(page)).toBe(1);
  await panel.getByRole('button', { name: 'Branch' }).click();
  await expect(page.getByRole('combobox', { name: 'Training' }).locator('option')).toHaveCount(2);
  await goTo(page, 'head');
  await inspector(page).getByRole('button', { name: 'Freeze' }).click();
  await expect(node(page, 'head')).toHaveClass(/frozen/);
});

test('numbers that are not finite lead to the node that made them', async ({ page, program: _ }) => {
  await takeStep(page);
  await goTo(page, 'temperature');
  await setTemperature(page, '0');
  await expect(cone(page)).toBeVisible();
  await takeStep(page);
  const alarm = page.getByTestId('alarm');
  await expect(alarm).toContainText('scaled (Div)');
  await alarm.getByRole('button', { name: 'Show the node' }).click();
  await expect(inspector(page)).toHaveAttribute('data-path', 'scaled');
  await expect(node(page, 'scaled')).toHaveClass(/alarm/);
  await button(page, 'Undo').click();
  await expect(cone(page)).toContainText(/edit \d/);
  await takeStep(page);
  await expect(alarm).toHaveCount(0);
});
