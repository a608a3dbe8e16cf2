import type { WebSocketRoute } from '@playwright/test';
import { goTo, inspector, node, open, row, step } from '../lab';
import { button, expect, mean, points, startProgram, state, takeStep, test } from './program';

const ACTIVATION = 'block/feed_forward/activation';

test('a reload restores view, selection, open boxes and the curve', async ({ page, program: _ }) => {
  await takeStep(page);
  await takeStep(page);
  await page.locator('[data-view=expanded]').click();
  await open(page, 'block');
  await node(page, 'block').locator('.main').click();
  await page.reload();
  await expect(node(page, 'block/attention')).toBeAttached();
  await expect(inspector(page)).toHaveAttribute('data-path', 'block');
  await expect(page.locator('[data-view=expanded]')).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(() => step(page)).toBe(2);
  await expect.poll(() => points(page)).toBe(2);
});

test('comes back after the connection was lost, with the state as it is', async ({ page, program: _ }) => {
  const sockets: WebSocketRoute[] = [];
  let away = false;
  await page.routeWebSocket(/\/ws/, (socket) => {
    if (away) void socket.close();
    else socket.connectToServer();
    sockets.push(socket);
  });
  await page.reload();
  await goTo(page, 'norm');
  await button(page, 'Run').click();
  await expect(mean(page)).toBeVisible();
  away = true;
  await sockets.at(-1)?.close();
  await expect(page.getByTestId('connection')).toBeVisible();
  await expect(node(page, 'norm')).toBeAttached();
  const at = await step(page);
  away = false;
  await expect(page.getByTestId('connection')).toHaveCount(0);
  await expect.poll(() => step(page)).toBeGreaterThan(at);
  const before = await mean(page).textContent();
  await expect(mean(page)).not.toHaveText(before ?? '');
});

test('says kindly when the Lab was started anew', async ({ page, program }) => {
  await program.end();
  await expect(page.getByTestId('connection')).toContainText('Connection lost');
  const next = await startProgram(program.port);
  try {
    await expect(page.getByTestId('connection')).toContainText('started anew');
    await page.goto(next.address);
    await expect(node(page, 'block')).toBeVisible();
    await expect(page.getByTestId('connection')).toHaveCount(0);
  } finally {
    await next.end();
  }
});

test('an address to look refuses changes', async ({ page, program }) => {
  await page.goto(program.toLook);
  await expect(page.getByTestId('read-only')).toHaveText('Read only');
  await expect(button(page, 'Run')).toBeDisabled();
  await goTo(page, ACTIVATION);
  await expect(inspector(page).getByRole('button', { name: 'Relu', exact: true })).toBeDisabled();
});

test('two pages see the same', async ({ page, program, context }) => {
  const other = await context.newPage();
  await other.goto(program.address);
  await expect(page.getByTestId('clients')).toContainText('2');
  await goTo(other, ACTIVATION);
  await inspector(other).getByRole('button', { name: 'Tanh', exact: true }).click();
  await expect(node(other, ACTIVATION)).toContainText('Tanh');
  await page.bringToFront();
  await expect(button(page, 'Undo')).toBeEnabled();
  await button(page, 'Undo').click();
  await other.bringToFront();
  await expect(node(other, ACTIVATION)).toContainText('Gelu');
  await other.close();
  await expect(page.getByTestId('clients')).toHaveCount(0);
});

test('by keyboard alone: run, pause, open, replace, undo, another view', async ({ page, program: _ }) => {
  await page.keyboard.press('Space');
  await expect(state(page)).toContainText('training');
  await page.keyboard.press('Space');
  await expect(state(page)).toContainText('paused');
  await row(page, 'features').focus();
  const walkTo = async (path: string) => {
    for (let presses = 0; presses < 30 && !(await row(page, path).evaluate((each) => each === document.activeElement).catch(() => false)); presses += 1) await page.keyboard.press('ArrowDown');
    await expect(row(page, path)).toBeFocused();
  };
  await walkTo('block');
  await page.keyboard.press('ArrowRight');
  await expect(row(page, 'block/feed_forward')).toBeVisible();
  await walkTo('block/feed_forward');
  await page.keyboard.press('ArrowRight');
  await expect(row(page, ACTIVATION)).toBeVisible();
  await walkTo(ACTIVATION);
  await page.keyboard.press('Enter');
  await expect(inspector(page)).toHaveAttribute('data-path', ACTIVATION);
  await page.keyboard.press('Shift+F10');
  const relu = page.getByRole('menuitem', { name: 'Relu', exact: true });
  await expect(relu).toBeVisible();
  for (let presses = 0; presses < 40 && !(await relu.evaluate((entry) => entry === document.activeElement)); presses += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(node(page, ACTIVATION)).toContainText('Relu');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('undo');
  await page.keyboard.press('Enter');
  await expect(node(page, ACTIVATION)).toContainText('Gelu');
  await page.keyboard.press('3');
  await expect(page.locator('[data-view=gradient]')).toHaveAttribute('aria-pressed', 'true');
});
