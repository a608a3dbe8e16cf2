import { inspector } from '../lab';
import { expect, MARKUP, takeStep, test } from './program';

// A model from elsewhere, whose names are markup and scripts.
test.use({ start: MARKUP });

const PICTURE = '<img src=x onerror="window.hurt=1">';
const SCOPE = '<i onmouseover=window.hurt=1>scope';
const VECTOR = '\'"><svg onload=window.hurt=1>';
const SCRIPT = '<script>window.hurt=1<\\script>';

test('names with markup are shown as text everywhere', async ({ page, program: _ }) => {
  const box = (name: string) => page.locator('.canvas .node.item').getByRole('button', { name }).first();
  for (const name of [VECTOR, SCRIPT, SCOPE]) {
    await expect(box(name)).toBeAttached();
    await expect(page.getByRole('treeitem', { name })).toBeVisible();
  }
  await takeStep(page);
  await page.locator('#search').fill('onerror');
  await page.locator('#found [role=option]').first().click();
  await expect(inspector(page).getByRole('heading', { level: 2 })).toContainText('onerror');
  await expect(inspector(page)).toHaveAttribute('data-path', `${SCOPE}/${PICTURE}`);
  await page.keyboard.press('m');
  await page.getByRole('menuitem', { name: 'Tanh', exact: true }).click();
  await page.getByRole('tab', { name: 'Journal' }).click();
  await expect(page.getByTestId('journal').locator('li')).toContainText(PICTURE);
  await box(VECTOR).hover();
  await expect(page.getByTestId('hover').getByRole('heading', { includeHidden: true })).toContainText('onload');
  await box(VECTOR).click();
  await expect(inspector(page)).toContainText('<b>hidden</b>.weight');
  for (const view of ['expanded', 'gradient', 'optimised', 'model']) {
    await page.locator(`[data-view=${view}]`).click();
    await expect(page.locator(`[data-view=${view}]`)).toHaveAttribute('aria-pressed', 'true');
    await expect(page.locator('.node.selected')).toBeAttached();
  }
  expect(await page.evaluate(() => 'hurt' in window)).toBe(false);
  expect(await page.locator('img[src=x], [onload], [onerror], [onmouseover], #root script').count()).toBe(0);
});
