import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

// Against the program itself: `ASG=…` names it, with the page of `npm run build` inside. Each test starts its own Lab.
const chromium = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path));

export default defineConfig({
  testDir: 'e2e/real',
  timeout: 180_000,
  expect: { timeout: 40_000 },
  workers: 1,
  reporter: 'line',
  outputDir: 'test-results',
  use: {
    viewport: { width: 1280, height: 720 },
    locale: 'en-GB',
    launchOptions: { ...(chromium === undefined ? {} : { executablePath: chromium }), args: ['--no-sandbox', '--disable-gpu'] },
  },
});
