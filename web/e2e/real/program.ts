import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test as base, type Page } from '@playwright/test';
import { node } from '../lab';

const ASG = process.env.ASG ?? fileURLToPath(new URL('../../../build/asg', import.meta.url));
const MODEL = fileURLToPath(new URL('temperature.json', import.meta.url));

// A Lab of the program itself, with the addresses that it printed.
export interface Program {
  address: string;
  toLook: string;
  port: string;
  end(): Promise<void>;
}

export async function startProgram(port = '0'): Promise<Program> {
  const child = spawn(ASG, ['lab', MODEL, '--data', 'digits', '--set', 'course.epochs=100000', '--no-open', '--port', port]);
  const [address, toLook] = await addressesOf(child);
  return { address, toLook, port: new URL(address).port, end: () => end(child) };
}

function addressesOf(child: ChildProcess): Promise<[string, string]> {
  return new Promise((resolve, reject) => {
    let said = '';
    const hear = (text: unknown) => {
      said += String(text);
      const [first, second] = said.match(/http:\/\/\S+(?=\s)/g) ?? [];
      if (first !== undefined && second !== undefined) resolve([first, second]);
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`asg lab ended with ${code}:\n${said}`)));
  });
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.on('exit', () => resolve());
    child.kill('SIGINT');
  });
}

// A page that looks at a Lab of its own. At the end nothing may have gone wrong in the page.
export const test = base.extend<{ program: Program }>({
  program: async ({ page }, use) => {
    const program = await startProgram();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !/WebSocket|ERR_CONNECTION_REFUSED/.test(message.text())) problems.push(message.text());
    });
    await page.goto(program.address);
    await expect(node(page, 'block')).toBeVisible();
    await use(program);
    await program.end();
    expect(problems).toEqual([]);
  },
});

export { expect };

export const button = (page: Page, name: string) => page.getByRole('banner').getByRole('button', { name, exact: true });
export const state = (page: Page) => page.getByTestId('state');
export const cone = (page: Page) => page.getByTestId('cone');
export const mean = (page: Page) => page.locator('[data-side=value] [data-fact=mean]');
export const points = async (page: Page): Promise<number> => Number(await page.locator('[data-chart=loss]').getAttribute('data-points'));

export async function takeStep(page: Page): Promise<void> {
  const before = Number(await state(page).getAttribute('data-step'));
  await button(page, 'Step').click();
  await expect(state(page)).toHaveAttribute('data-step', String(before + 1));
  await expect(state(page)).toContainText('paused');
}

export async function setTemperature(page: Page, text: string): Promise<void> {
  const field = page.getByLabel('Set value');
  await field.fill(text);
  await field.press('Enter');
}
