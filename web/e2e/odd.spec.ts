import type { Page, WebSocketRoute } from '@playwright/test';
import { expect, inspector, node, step, test } from './lab';

// What the program itself hardly ever shows. Everything else is tested on the program, in e2e/real.

interface Between {
  heard: string[]; // what the Lab said
  say(frame: string | Buffer): void; // as if the Lab had said it
}

// The page loaded again, with us between it and the Lab.
async function standBetween(page: Page, address: string): Promise<Between> {
  const heard: string[] = [];
  const sockets: WebSocketRoute[] = [];
  await page.routeWebSocket(/\/ws/, (socket) => {
    sockets.push(socket);
    socket.connectToServer().onMessage((message) => {
      heard.push(String(message));
      socket.send(message);
    });
  });
  await page.goto(address);
  await expect(node(page, 'tokens')).toBeVisible();
  return { heard, say: (frame) => sockets.at(-1)?.send(frame) };
}

test('a value that many use is a portal, not a bundle of lines', async ({ page, lab: _ }) => {
  await expect(node(page, 'block_0')).toContainText('×12');
  await expect(page.locator('.tag').filter({ hasText: 'mask' })).toHaveCount(2);
});

test('a newer or a broken Lab: what is not understood is passed over', async ({ page, lab }) => {
  const { say } = await standBetween(page, lab.address());
  for (const frame of ['', 'null', '[]', '{', '{"event":7}', '{"event":"from_the_future","training":1,"words":{}}', Buffer.from([1, 2, 3]), Buffer.from('ASGT\xff\xff\xff\xff', 'latin1')]) say(frame);
  await page.getByRole('button', { name: 'Step', exact: true }).click();
  await expect.poll(() => step(page)).toBe(1);
  await node(page, 'head').locator('.main').click();
  await expect(inspector(page)).toHaveAttribute('data-path', 'head');
});

test('a training that failed says so', async ({ page, lab }) => {
  const { say, heard } = await standBetween(page, lab.address());
  const { trainings } = JSON.parse(heard.find((text) => text.includes('"welcome"')) ?? '{}') as { trainings: object[] };
  say(JSON.stringify({ event: 'training', training: 1, state: { ...trainings[0], state: 'failed' } }));
  await expect(page.getByTestId('state')).toContainText('failed');
  await expect(page.getByTestId('state')).toHaveClass(/failed/);
});

test('many messages at once: the last ones are shown', async ({ page, lab }) => {
  const { say } = await standBetween(page, lab.address());
  for (let number = 0; number < 50; number += 1) say(JSON.stringify({ event: 'failed', training: 1, message: 'apply', error: { code: 'odd', given: `The edit ${number}`, needed: 'another one' } }));
  await expect(page.getByTestId('notice').last()).toContainText('The edit 49');
  expect(await page.getByTestId('notice').count()).toBeLessThan(6);
});
