import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { notice } from './tools/notice';

const licences = notice();

// The page is served by the program itself under a strict content security policy: nothing is inlined, and the worker
// that lays out graphs is a file of its own.
export default defineConfig({
  plugins: [react(), licences.write()],
  base: './',
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false }, chunkSizeWarningLimit: 800 },
  worker: { format: 'es', plugins: () => [licences.collect()] },
  server: { proxy: { '/ws': { target: `http://127.0.0.1:${process.env.LAB_PORT ?? '8765'}`, ws: true } } },
  test: { environment: 'jsdom', testTimeout: 60_000, include: ['tests/**/*.test.{ts,tsx}'] },
});
