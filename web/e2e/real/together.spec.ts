import { goTo, inspector, node, open, row, step } from '../lab';
import { answerTo, button, expect, mean, points, SHORT_COURSE, startProgram, state, takeStep, TEMPERATURE, test } from './program';
import { openTunnel } from './tunnel';

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

test('comes back after the connection was lost, with the state as it is', async ({ page }) => {
  const tunnel = await openTunnel();
  const program = await startProgram(TEMPERATURE, '0', '--hosts', `127.0.0.1:${tunnel.port}`);
  tunnel.leadTo(program.port);
  try {
    await page.goto(program.address.replace(program.port, tunnel.port));
    await goTo(page, 'norm');
    await button(page, 'Run').click();
    await expect(mean(page)).toBeVisible();
    tunnel.cut();
    await expect(page.getByTestId('connection')).toBeVisible();
    await expect(node(page, 'norm')).toBeAttached();
    const at = await step(page);
    tunnel.mend();
    await expect(page.getByTestId('connection')).toHaveCount(0);
    await expect.poll(() => step(page)).toBeGreaterThan(at);
    const before = await mean(page).textContent();
    await expect(mean(page)).not.toHaveText(before ?? '');
  } finally {
    await tunnel.end();
    await program.end();
  }
});

test.describe('of a short course', () => {
  test.use({ start: SHORT_COURSE });

  test('frames that are lost on the way do not stop it, and leave no gap', async ({ page, program: _ }) => {
    const seen = { step_done: 0, watched: 0 };
    await page.routeWebSocket(/\/ws/, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => {
        const kind = /^\{"event":"(step_done|watched)"/.exec(String(message))?.[1] as keyof typeof seen | undefined;
        if (kind !== undefined && seen[kind]++ % (kind === 'watched' ? 2 : 8) !== 0) return;
        socket.send(message);
      });
    });
    await page.reload();
    await goTo(page, 'norm');
    await button(page, 'Run').click();
    await expect(state(page)).toContainText('the course is over');
    expect(seen.step_done).toBeGreaterThan(40);
    await expect.poll(async () => (await points(page)) === (await step(page))).toBe(true);
    await expect(async () => {
      await takeStep(page);
      await expect(mean(page)).toBeVisible({ timeout: 4000 });
    }).toPass();
  });
});

test('a page of a training that waits says nothing', async ({ page, program: _ }) => {
  let said = 0;
  page.on('websocket', (socket) => socket.on('framesent', () => (said += 1)));
  await page.reload();
  await goTo(page, 'norm');
  await takeStep(page);
  await expect(inspector(page).locator('canvas.heat')).toBeVisible();
  const silent = async () => {
    const before = said;
    await page.waitForTimeout(2000); // the time is what is asked about
    return said - before;
  };
  await expect.poll(silent).toBe(0);
});

test('says kindly when the Lab was started anew', async ({ page, program }) => {
  await program.end();
  await expect(page.getByTestId('connection')).toContainText('Connection lost');
  const next = await startProgram(TEMPERATURE, program.port);
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
  await expect(inspector(page).getByRole('button', { name: 'Gelu', exact: true })).toBeDisabled();
  await page.keyboard.press('m');
  await expect(page.getByRole('menuitem', { name: 'Gelu', exact: true })).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('menu')).toContainText('may look, but not change');
  // Past the page, too: the Lab itself refuses.
  for (const message of [{ do: 'run' }, { do: 'apply', edit: { commands: [{ do: 'replace_op', at: ACTIVATION, op: 'Gelu' }] } }, { do: 'set_learning_rate', rate: 1 }, { do: 'stop' }]) {
    expect(await answerTo(page, program.toLook, message)).toMatchObject({ event: 'failed', ask: 1, error: { needed: 'full access' } });
  }
  expect(await step(page)).toBe(0);
});

test('a whole Lab may be started only to look', async ({ page }) => {
  const program = await startProgram(TEMPERATURE, '0', '--read-only');
  try {
    await page.goto(program.address);
    await expect(page.getByTestId('read-only')).toBeVisible();
    await expect(button(page, 'Step')).toBeDisabled();
    expect(await answerTo(page, program.address, { do: 'step' })).toMatchObject({ event: 'failed' });
  } finally {
    await program.end();
  }
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
  await expect(node(other, ACTIVATION)).toContainText('Relu');
  await other.close();
  await expect(page.getByTestId('clients')).toHaveCount(0);
});

test('by keyboard alone: run, pause, open, replace, undo, another view', async ({ page, program: _ }) => {
  await page.keyboard.press('Space');
  await expect(state(page)).toContainText('training');
  await page.keyboard.press('Space');
  await expect(state(page)).toContainText('paused');
  const outlineHasFocus = () => page.evaluate(() => document.activeElement?.closest('[role=tree]') !== null && document.activeElement?.hasAttribute('data-row') === true);
  for (let presses = 0; presses < 40 && !(await outlineHasFocus()); presses += 1) await page.keyboard.press('Tab');
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
  const gelu = page.getByRole('menuitem', { name: 'Gelu', exact: true });
  await expect(gelu).toBeVisible();
  for (let presses = 0; presses < 40 && !(await gelu.evaluate((entry) => entry === document.activeElement)); presses += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(node(page, ACTIVATION)).toContainText('Gelu');
  await expect(button(page, 'Undo')).toBeEnabled();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
  await page.keyboard.type('undo');
  await page.keyboard.press('Enter');
  await expect(node(page, ACTIVATION)).toContainText('Relu');
  await page.keyboard.press('Shift+?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('3');
  await expect(page.locator('[data-view=gradient]')).toHaveAttribute('aria-pressed', 'true');
});
