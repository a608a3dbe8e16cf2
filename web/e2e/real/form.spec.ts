import type { Page } from '@playwright/test';
import { goTo, inspector, node, open, row, settle, step } from '../lab';
import { expectGoodForm, violations } from './form';
import { cone, expect, setLiteral, state, takeStep, test } from './program';

const ACTIVATION = 'block/feed_forward/activation';

// The main states of the page one after the other; in each nothing is clipped, no boxes meet and axe is content.
const STATES: Record<string, (page: Page) => Promise<void>> = {
  'a graph before the first step': async () => undefined,
  'open boxes, a node with its numbers, curves': async (page) => {
    await page.locator('.bar .button.primary').click();
    await expect.poll(() => step(page)).toBeGreaterThan(12);
    await page.locator('.bar .button.primary').click();
    await expect(state(page)).toHaveClass(/paused/);
    await open(page, 'block');
    await goTo(page, ACTIVATION);
    await expect(page.locator('[data-side=gradient]')).toBeVisible();
    await page.keyboard.press('f');
  },
  'a card beside the mouse, the legend and all badges': async (page) => {
    await page.keyboard.press('l');
    await page.locator('.badge-menu > button').click();
    for (const box of await page.locator('.badge-menu input').all()) await box.check();
    await page.keyboard.press('Escape');
    await settle(page);
    await page.keyboard.press('f');
    await node(page, 'norm').locator('.main').hover();
    await expect(page.getByTestId('hover').locator('.facts')).toBeVisible();
  },
  'the menu of a node': async (page) => {
    await page.mouse.move(2, 2);
    await node(page, ACTIVATION).locator('.main').click({ button: 'right' });
    await expect(page.getByRole('menuitem', { name: 'Gelu', exact: true })).toBeVisible();
  },
  'the journal and the training after an edit': async (page) => {
    await page.getByRole('menuitem', { name: 'Gelu', exact: true }).click();
    await expect(cone(page)).toBeVisible();
    await page.locator('#tab-journal').click();
    await expect(page.getByTestId('journal').locator('li')).toHaveCount(1);
  },
  'the panel of the training': async (page) => {
    await page.locator('#tab-training').click();
    await expect(page.getByTestId('training-panel')).toBeVisible();
  },
  'the expanded view': (page) => look(page, 'expanded'),
  'the gradient view': (page) => look(page, 'gradient'),
  'the optimised view': (page) => look(page, 'optimised'),
  'the plan': async (page) => {
    await page.locator('[data-view=plan]').click();
    await expect(page.locator('.plan canvas')).toBeVisible();
  },
  'the palette': async (page) => {
    await page.locator('[data-view=model]').click();
    await expect(node(page, 'block')).toBeAttached();
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('listbox')).toBeVisible();
  },
  'the keys': async (page) => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Shift+?');
    await expect(page.getByRole('dialog')).toBeVisible();
  },
  'a search': async (page) => {
    await page.keyboard.press('Escape');
    await page.locator('#search').fill('attention');
    await expect(page.locator('#found [role=option]').first()).toBeVisible();
  },
  'an alarm and a refusal': async (page) => {
    await page.keyboard.press('Escape');
    await goTo(page, 'Constant#8');
    await setLiteral(page, '7');
    await expect(page.getByTestId('notice')).toBeVisible();
    await goTo(page, 'temperature');
    await setLiteral(page, '0');
    await expect(inspector(page).getByRole('slider')).toHaveValue('0');
    await takeStep(page);
    await expect(page.getByTestId('alarm')).toBeVisible();
  },
  'two trainings, and one may only look': async (page) => {
    await page.locator('#tab-training').click();
    await page.getByRole('button', { name: /^(Branch|Ответвить)$/ }).click();
    await expect(page.getByRole('combobox', { name: /^(Training|Обучение)$/ }).locator('option')).toHaveCount(2);
  },
};

async function look(page: Page, view: string): Promise<void> {
  await page.locator(`[data-view=${view}]`).click();
  await expect(page.locator('.node.selected')).toBeInViewport();
}

for (const lang of ['en', 'ru'] as const) {
  test(`every state in ${lang}, light and dark, small and large: nothing clipped, no boxes meet, axe is content`, async ({ page, program }) => {
    test.setTimeout(900_000);
    await page.getByRole('button', { name: lang.toUpperCase(), exact: true }).click();
    for (const [name, reach] of Object.entries(STATES)) {
      await test.step(name, async () => {
        await reach(page);
        await expectGoodForm(page, name);
      });
    }
    await test.step('an address to look', async () => {
      await page.goto(program.toLook);
      await expect(page.getByTestId('read-only')).toBeVisible();
      await expect(node(page, 'block')).toBeAttached();
      await expectGoodForm(page, 'an address to look');
    });
    await test.step('without a connection', async () => {
      await program.end();
      await expect(page.getByTestId('connection')).toBeVisible();
      await expectGoodForm(page, 'without a connection');
    });
  });
}

test('axe sees what is wrong', async ({ page, program: _ }) => {
  await page.evaluate(() => {
    document.body.insertAdjacentHTML('beforeend', '<img src="icon.svg"><p id="pale">pale</p>');
    Object.assign(document.getElementById('pale')!.style, { color: '#aaa', background: '#bbb', position: 'fixed', top: '0', zIndex: '9999' });
  });
  expect((await violations(page)).map((each) => each.split(':')[0])).toEqual(expect.arrayContaining(['color-contrast', 'image-alt']));
});

const place = async (page: Page, path: string) => {
  const { x = NaN, y = NaN } = (await node(page, path).boundingBox()) ?? {};
  return `${Math.round(x)}, ${Math.round(y)}`;
};

test('the selected node stays where it is when others are opened, closed or edited', async ({ page, program: _ }) => {
  await node(page, 'head').locator('.main').click();
  const before = await place(page, 'head');
  await open(page, 'embed');
  await expect(node(page, 'embed')).toHaveClass(/box/);
  await expect.poll(() => place(page, 'head')).toBe(before);
  await row(page, 'block').locator('.twist').click();
  await expect(row(page, 'block/feed_forward')).toBeVisible();
  await expect(node(page, 'head')).toHaveClass(/selected/);
  await expect.poll(() => place(page, 'head')).toBe(before);
});
