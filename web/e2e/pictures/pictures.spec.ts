import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test, type Browser, type Page } from '@playwright/test';
import { goTo, inspector, node, row, settle, step } from '../lab';
import { answerTo, DIGITS, startProgram, state, takeStep, type Program } from '../real/program';

// The pictures of the documentation, made anew from the program: docs/lab/STATE-THEME-LANGUAGE-WIDTH.png.
const FOLDER = fileURLToPath(new URL('../../../docs/lab/', import.meta.url));
const ACTIVATION = 'block/feed_forward/activation';

interface Kind {
  theme: 'light' | 'dark';
  lang: 'en' | 'ru';
  width: 1280 | 1920;
}

const KINDS: Kind[] = (['light', 'dark'] as const).flatMap((theme) => (['en', 'ru'] as const).flatMap((lang) => ([1920, 1280] as const).map((width) => ({ theme, lang, width }))));
// What looks the same in all of them but for words and colours is kept in two.
const FEW = KINDS.filter(({ theme, lang, width }) => `${theme} ${lang} ${width}` === 'light en 1280' || `${theme} ${lang} ${width}` === 'dark ru 1920');

test.describe.configure({ timeout: 600_000 });

let program: Program;

async function shot(page: Page, name: string, { theme, lang, width }: Kind): Promise<void> {
  await settle(page);
  const path = `${FOLDER}${name}-${theme}-${lang}-${width}.png`;
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  // A palette is enough and a third of the size; where the tool is missing the picture stays as it is.
  spawnSync('pngquant', ['--force', '--skip-if-larger', '--strip', '--speed', '1', '--ext', '.png', path]);
}

async function openPage(browser: Browser, { theme, lang, width }: Kind): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: (width / 16) * 9 }, colorScheme: theme });
  await page.goto(program.address);
  await expect(node(page, 'block')).toBeVisible();
  await page.getByRole('button', { name: lang.toUpperCase(), exact: true }).click();
  return page;
}

async function train(page: Page, steps: number): Promise<void> {
  const before = await step(page);
  await answerTo(page, program.address, { do: 'run', steps });
  await expect.poll(() => step(page)).toBe(before + steps);
  await expect(state(page)).toHaveClass(/paused/);
}

// As somebody sees it who found the node by a click.
async function findActivation(page: Page): Promise<void> {
  await goTo(page, ACTIVATION);
  await page.locator('#search').fill('');
  await page.locator('#search').blur();
}

// A course with an edit and another learning rate in it.
test.beforeAll(async ({ browser }) => {
  program = await startProgram(DIGITS);
  const page = await openPage(browser, { theme: 'light', lang: 'en', width: 1920 });
  await train(page, 150);
  await goTo(page, ACTIVATION);
  await inspector(page).getByRole('button', { name: 'Relu', exact: true }).click();
  await expect(node(page, ACTIVATION)).toContainText('Relu');
  await train(page, 80);
  await page.getByRole('tab', { name: 'Training' }).click();
  await page.getByLabel('Learning rate').fill('0.001');
  await page.getByLabel('Learning rate').press('Enter');
  await train(page, 70);
  await page.close();
});

test.afterAll(() => program.end());

for (const kind of KINDS) {
  test(`the whole, a node, the gradient and the plan: ${kind.theme} ${kind.lang} ${kind.width}`, async ({ browser }) => {
    const page = await openPage(browser, kind);
    await page.keyboard.press('l');
    await shot(page, 'overview', kind);
    await page.keyboard.press('l');
    await findActivation(page);
    await expect(page.locator('[data-side=gradient]')).toBeVisible();
    await expect(inspector(page).locator('canvas.heat')).toBeVisible();
    await page.mouse.move(2, 2);
    await shot(page, 'model', kind);
    await page.locator('[data-view=gradient]').click();
    await expect(row(page, 'update')).toBeAttached();
    await expect(page.locator('.node.selected')).toBeInViewport();
    await page.mouse.move(2, 2);
    await shot(page, 'gradient', kind);
    await page.locator('[data-view=plan]').click();
    await expect(page.locator('.plan canvas')).toBeVisible();
    await page.locator('.plan canvas').hover({ position: { x: 300, y: 150 } });
    await shot(page, 'plan', kind);
    await page.close();
  });
}

for (const kind of FEW) {
  test(`the menu, the training and the journal: ${kind.theme} ${kind.lang} ${kind.width}`, async ({ browser }) => {
    const page = await openPage(browser, kind);
    await findActivation(page);
    await page.locator('#tab-training').click();
    await expect(page.getByTestId('training-panel')).toBeVisible();
    await shot(page, 'training', kind);
    await node(page, ACTIVATION).locator('.main').click({ button: 'right' });
    await expect(page.getByRole('menuitem', { name: 'Gelu', exact: true })).toBeVisible();
    await shot(page, 'menu', kind);
    await page.close();
  });
}

// The last one: it spoils the training, before the eyes of all pages.
test('numbers that are not finite', async ({ browser }) => {
  const pages = await Promise.all(FEW.map(async (kind) => ({ kind, page: await openPage(browser, kind) })));
  const [first] = pages;
  if (!first) throw new Error('no kind of picture');
  await answerTo(first.page, program.address, { do: 'set_learning_rate', rate: 1e30 });
  for (let count = 0; count < 5 && !(await first.page.getByTestId('alarm').isVisible()); count += 1) await takeStep(first.page);
  for (const { page, kind } of pages) {
    await page.bringToFront();
    await page.getByTestId('alarm').locator('button').first().click();
    await expect(page.locator('.node.alarm')).toBeInViewport();
    await shot(page, 'alarm', kind);
    await page.close();
  }
});
