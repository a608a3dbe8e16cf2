import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test as base, type Page } from '@playwright/test';
import { node } from '../lab';

const ASG = process.env.ASG ?? fileURLToPath(new URL('../../../build/asg', import.meta.url));
export const fileHere = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

// What a Lab is started on: arguments of `asg lab`, and a node that shows that the graph has come.
export interface Start {
  what: string[];
  first: string;
}

export const TEMPERATURE: Start = { what: [fileHere('temperature.json'), '--data', 'digits', '--set', 'course.epochs=100000'], first: 'block' };
// The Lab keeps every step of these, however long a slow page takes to see them: it thins out what is longer than 4,000.
export const SHORT_COURSE: Start = { ...TEMPERATURE, what: [...TEMPERATURE.what, '--set', 'course.epochs=20'] };
export const LONG_STEPS: Start = { ...TEMPERATURE, what: [...TEMPERATURE.what, '--set', 'data.batch_size=1024'] };
export const DIGITS: Start = { what: [], first: 'block' };
export const MARKUP: Start = { what: [fileHere('markup.json'), '--data', 'digits'], first: 'features' };
export const GPT2: Start = { what: ['gpt2', '--data', 'moby-dick', '--set', 'data.length=64', '--set', 'data.batch_size=1'], first: 'block_0' };

// A Lab of the program itself, with the addresses that it printed.
export interface Program {
  address: string;
  toLook: string;
  port: string;
  end(): Promise<void>;
}

export async function startProgram({ what }: Start = TEMPERATURE, port = '0', ...more: string[]): Promise<Program> {
  const child = spawn(ASG, ['lab', ...what, '--no-open', '--port', port, ...more]);
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

// What goes wrong in a page, and what its policy refuses. A lost connection is no fault of the page.
export function problemsOf(page: Page): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/WebSocket|net::ERR_CONNECTION_/.test(message.text())) problems.push(message.text());
  });
  return problems;
}

// A page that looks at a Lab of its own. At the end nothing may have gone wrong in the page.
export const test = base.extend<{ start: Start; program: Program }>({
  start: [TEMPERATURE, { option: true }],
  program: async ({ page, start }, use) => {
    const program = await startProgram(start);
    const problems = problemsOf(page);
    await page.goto(program.address);
    await expect(node(page, start.first)).toBeVisible({ timeout: 300_000 }); // a large model takes its time to be made
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
  await page.getByRole('banner').getByRole('button', { name: /^(Step|Шаг)$/ }).click();
  await expect(state(page)).toHaveAttribute('data-step', String(before + 1));
  await expect(state(page)).toHaveClass(/paused/);
}

export async function setLiteral(page: Page, text: string): Promise<void> {
  const field = page.getByLabel(/^(Set value|Задать)$/);
  await field.fill(text);
  await field.press('Enter');
}

export interface Cone {
  loss: string;
  computed: number;
  all: number;
}

// What stands beside the charts after an edit of a training that waits.
export async function readCone(page: Page): Promise<Cone> {
  const text = (await cone(page).textContent()) ?? '';
  const [, loss = '', computed = '', all = ''] = /edit (\S+) · (\d+) of (\d+)/.exec(text) ?? [];
  return { loss, computed: Number(computed), all: Number(all) };
}

// What the Lab answers to one message over a connection of its own.
export const answerTo = (page: Page, address: string, message: object) => page.evaluate(([token, text]) => new Promise((resolve, reject) => {
  const socket = new WebSocket(`ws://${location.host}/ws?token=${token}`);
  socket.onopen = () => socket.send(text);
  socket.onerror = reject;
  socket.onmessage = ({ data }) => {
    const event = JSON.parse(String(data)) as { ask?: number };
    if (event.ask !== 1) return;
    socket.close();
    resolve(event);
  };
}), [new URL(address).searchParams.get('token') ?? '', JSON.stringify({ ...message, ask: 1 })] as const);
