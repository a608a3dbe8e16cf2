import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WebSocketServer } from 'ws';
import { Lab } from './lab.mjs';
import './commands.mjs';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; font-src 'self'";
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

// Each token has a Lab of its own, so that tests do not meet; with `.read` at its end it may only look. A POST to
// /mock/drop?token=… cuts the connections of a Lab and refuses new ones for a while.
export function serve(port) {
  const labs = new Map();
  const closedUntil = new Map();
  const nameOf = (token) => token.replace(/\.read$/, '');
  const labOf = (token) => labs.get(nameOf(token)) ?? (labs.set(nameOf(token), new Lab()), labs.get(nameOf(token)));

  const server = createServer(async (request, response) => {
    const address = new URL(request.url, 'http://lab');
    if (address.pathname === '/mock/drop') {
      const token = address.searchParams.get('token') ?? '';
      closedUntil.set(nameOf(token), Date.now() + Number(address.searchParams.get('ms') ?? 0));
      for (const client of labOf(token).clients) client.end();
      response.end('dropped');
      return;
    }
    const path = normalize(address.pathname === '/' ? '/index.html' : address.pathname);
    try {
      const body = await readFile(join(DIST, path));
      response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream', 'content-security-policy': POLICY, 'cache-control': 'no-store' });
      response.end(body);
    } catch {
      response.writeHead(404).end('not found');
    }
  });

  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    const address = new URL(request.url, 'http://lab');
    const token = address.searchParams.get('token') ?? '';
    if (address.pathname !== '/ws' || token === '' || (closedUntil.get(nameOf(token)) ?? 0) > Date.now()) {
      socket.destroy();
      return;
    }
    sockets.handleUpgrade(request, socket, head, (ws) => {
      const lab = labOf(token);
      const client = {
        readOnly: token.endsWith('.read'),
        send: (event) => ws.send(JSON.stringify(event)),
        sendBinary: (bytes) => ws.send(bytes),
        end: () => ws.terminate(),
      };
      ws.on('message', (data) => lab.hear(client, JSON.parse(String(data))));
      ws.on('close', () => lab.quit(client));
      lab.join(client);
    });
  });
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
}
