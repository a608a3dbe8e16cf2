import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { launch, openPage } from './browser.mjs';
import { measureFrames, openMany } from './frames.mjs';
import { startLab } from './program.mjs';
import { pageOf } from './report.mjs';
import { expand, measureExpanding, measureGradient, measureOpening, showAll } from './waits.mjs';

// Measures the Lab and writes the page of its figures:  node web/bench/main.mjs BUILD REPORT
const [build, report] = process.argv.slice(2);
const program = `${build}/asg`;
const GPT2 = ['gpt2', '--data', 'moby-dick', '--set', 'model.vocabulary=50257', '--set', 'model.positions=1024', '--set', 'data.length=64', '--set', 'data.batch_size=1'];

const say = (what, figures) => console.log(`${what}: ${JSON.stringify(figures)}`);
const figures = {};
function keep(what, result) {
  figures[what] = result;
  say(what, result);
}

// The model with its twelve blocks one by one, all of them closed.
async function unfoldedModel(page) {
  await expand(page, 'block_0');
  await page.evaluate(async () => {
    document.querySelector('.canvas .node[data-path="block_0"] button.open').click();
    await window.lab.drawn(() => window.lab.paths().has('block_1'));
  });
  await showAll(page);
}

async function measureGraph(browser) {
  const lab = await startLab(program, GPT2);
  const { page, close } = await openPage(browser, lab.address);
  await unfoldedModel(page);
  const blocks = Array.from({ length: 11 }, (_, index) => `block_${index + 1}`);
  keep('expanding', await measureExpanding(page, blocks));
  await openMany(page);
  keep('frames', await measureFrames(page, 6));
  await close();
  await lab.end();
}

const browser = await launch();
figures.browser = `Chromium ${browser.version()}, headless, without a graphics card`;
keep('opening', await measureOpening(browser, program, 7));
await measureGraph(browser);
keep('gradient', await measureGradient(browser, program, GPT2, 3));
await browser.close();
keep('crowd', JSON.parse(execFileSync(`${build}/bench/bench_lab`, ['--json', '--viewers', '10'], { encoding: 'utf8' })));
keep('cost', JSON.parse(execFileSync(`${build}/bench/bench_lab`, ['--json'], { encoding: 'utf8' })));

writeFileSync(`${build}/bench_lab.json`, `${JSON.stringify(figures, null, 2)}\n`);
writeFileSync(report, pageOf(figures));
console.log(`wrote ${report}`);
