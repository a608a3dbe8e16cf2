import { node, open, row, settle } from '../lab';
import { expectTidy } from './form';
import { expect, GPT2, test } from './program';

// GPT-2 of 124 million weights, which is never trained here: looking at it needs no step.
test.use({ start: GPT2 });
test.describe.configure({ timeout: 600_000 });

test('GPT-2 with its gradient: thousands of nodes, few of them drawn', async ({ page, program: _ }) => {
  const drawn = page.locator('.react-flow__node');
  await expect(node(page, 'block_0')).toContainText('×12');
  await expect(node(page, 'block_1')).toHaveCount(0);
  expect(await drawn.count()).toBeLessThan(40);
  await page.locator('[data-view=gradient]').click();
  await expect(row(page, 'update')).toBeAttached();
  await settle(page);
  expect(await drawn.count()).toBeLessThan(300);
  expect(await page.locator('[data-row]').count()).toBeLessThan(300);
  await expectTidy(page);
});

test('GPT-2: one block of twelve is opened, then all twelve are shown', async ({ page, program: _ }) => {
  await open(page, 'block_0');
  await expect(node(page, 'block_0/attention')).toBeAttached();
  await expectTidy(page);
  await node(page, 'block_0').getByRole('button', { name: 'Unfold 12 repetitions' }).click();
  await page.keyboard.press('f');
  await expect(node(page, 'block_11')).toBeAttached();
  await settle(page);
  await expectTidy(page);
});
