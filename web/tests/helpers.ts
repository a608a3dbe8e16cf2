import type { Socket } from '../src/wire/connection';
import type { Edge, Item, Level, Training } from '../src/wire/types';

// A socket whose other end is the test.
export class TestSocket implements Socket {
  binaryType = '';
  readyState = 0;
  onopen: ((event: Event) => void) | null = null;
  onclose: ((event: CloseEvent) => void) | null = null;
  onmessage: ((event: MessageEvent) => void) | null = null;
  sent: Record<string, unknown>[] = [];

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  close(): void {
    this.drop();
  }

  open(): void {
    this.readyState = 1;
    this.onopen?.(new Event('open'));
  }

  drop(): void {
    this.readyState = 3;
    this.onclose?.({} as CloseEvent);
  }

  say(event: Record<string, unknown>): void {
    this.onmessage?.({ data: JSON.stringify(event) } as MessageEvent);
  }

  sayBytes(bytes: ArrayBuffer): void {
    this.onmessage?.({ data: bytes } as MessageEvent);
  }

  asked(what: string): Record<string, unknown>[] {
    return this.sent.filter((message) => message.do === what);
  }
}

export const item = (path: string, more: Partial<Item> = {}): Item => ({
  path, name: path.slice(path.lastIndexOf('/') + 1), op: 'Add', category: 'arithmetic', opens: false, nodes: 1, parameters: 0,
  outputs: [{ name: 'y', type: 'f32[2, 3]' }], flags: [], role: 'forward', ...more,
});

export const edge = (from: string, to: string, more: Partial<Edge> = {}): Edge => ({ from, to, value: `${from}:0`, type: 'f32[2, 3]', count: 1, skips: false, ...more });

export const level = (scope: string, items: Item[], edges: Edge[], more: Partial<Level> = {}): Level => ({
  training: 1, version: 1, view: 'model', scope, title: '', items, edges, inlets: [], outlets: [], portals: [], ...more,
});

export const training = (more: Partial<Training> = {}): Training => ({
  id: 1, label: 'letters', state: 'paused', step: 0, version: 1, parent: null, learning_rate: 0.001, schedule: '', optimizer: { name: 'AdamW', settings: {} }, datasets: ['held_out'], can_save: true,
  course: { steps: null }, snapshots: [], ...more,
});
