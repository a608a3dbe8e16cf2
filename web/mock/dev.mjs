import { createServer } from 'vite';
import { serve } from './server.mjs';

// The page with hot reloading. LAB_PORT names a running Lab; without it the stand-in is started.
if (process.env.LAB_PORT === undefined) await serve(8765);
const vite = await createServer();
await vite.listen();
vite.printUrls();
console.log('Add ?token=dev to the address (or the token of the running Lab).');
