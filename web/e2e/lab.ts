import { expect, type Page, test as base } from '@playwright/test';

let count = 0;

// A page with a Lab of its own.
export interface Lab {
  token: string;
  address(readOnly?: boolean): string;
  drop(milliseconds: number): Promise<void>;
}

export const test = base.extend<{ lab: Lab }>({
  lab: async ({ page, request }, use) => {
    const token = `test-${process.pid}-${count++}`;
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('WebSocket')) problems.push(message.text());
    });
    const address = (readOnly = false) => `/?token=${token}${readOnly ? '.read' : ''}`;
    await page.goto(address());
    await expect(node(page, 'tokens')).toBeVisible();
    await use({ token, address, drop: async (milliseconds) => void (await request.post(`/mock/drop?token=${token}&ms=${milliseconds}`)) });
    expect(problems).toEqual([]);
  },
});

export { expect };

export const node = (page: Page, path: string) => page.locator(`.canvas [data-path="${path}"]`);
export const row = (page: Page, path: string) => page.locator(`[data-row="${path}"]`);
export const inspector = (page: Page) => page.getByTestId('inspector');
export const step = async (page: Page): Promise<number> => Number(await page.getByTestId('state').getAttribute('data-step'));

export async function open(page: Page, path: string): Promise<void> {
  await node(page, path).getByRole('button', { name: /^(Expand|Раскрыть)/ }).click();
}

// Goes to a node by search, wherever it is.
export async function goTo(page: Page, path: string): Promise<void> {
  await page.locator('#search').fill(path);
  await page.locator('[role=option]').filter({ has: page.getByText(path, { exact: true }) }).first().click();
  await expect(inspector(page)).toHaveAttribute('data-path', path);
}

// Until two pictures in a row have every box at the same place.
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const picture = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const places = () => Array.from(document.querySelectorAll('.node'), (each) => JSON.stringify(each.getBoundingClientRect())).join();
    for (let before = '', now = places(); before !== now;) {
      await picture();
      [before, now] = [now, places()];
    }
  });
}

export const marks = async (page: Page): Promise<number> => Number(await page.locator('[data-chart=loss]').getAttribute('data-marks'));
