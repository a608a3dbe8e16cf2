import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

// Against the stand-in by default. The browser of the system is used; none is downloaded.
const port = Number(process.env.LAB_PORT ?? 8790);
const chromium = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path));

export default defineConfig({
  testDir: 'e2e',
  testIgnore: ['real/**', 'pictures/**'],
  timeout: 180_000,
  expect: { timeout: 40_000 },
  workers: 1,
  reporter: 'line',
  outputDir: 'test-results',
  use: {
    actionTimeout: 40_000,
    baseURL: `http://127.0.0.1:${port}`,
    viewport: { width: 1280, height: 720 },
    locale: 'en-GB',
    launchOptions: { ...(chromium === undefined ? {} : { executablePath: chromium }), args: ['--no-sandbox', '--disable-gpu'] },
  },
  webServer: { command: 'node mock/main.mjs', env: { LAB_PORT: String(port) }, port, reuseExistingServer: false },
});
