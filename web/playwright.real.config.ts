import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

// Against the program itself: `ASG=…` names it, with the page of `npm run build` inside. Each test starts its own Lab.
// `program` are the tests, `pictures` make those of the documentation.
const chromium = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path));

export default defineConfig({
  projects: [{ name: 'program', testDir: 'e2e/real', fullyParallel: true }, { name: 'pictures', testDir: 'e2e/pictures' }],
  timeout: 180_000,
  expect: { timeout: 40_000 },
  workers: 2, // each mostly waits for its page
  reporter: 'line',
  outputDir: 'test-results',
  use: {
    actionTimeout: 40_000,
    viewport: { width: 1280, height: 720 },
    locale: 'en-GB',
    launchOptions: { ...(chromium === undefined ? {} : { executablePath: chromium }), args: ['--no-sandbox', '--disable-gpu'] },
  },
});
