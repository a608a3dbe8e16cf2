import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { expand, select } from '../src/state/place';
import { startSession } from '../src/state/session';
import { useLab } from '../src/state/store';
import { want } from '../src/state/watching';
import type { Connection } from '../src/wire/connection';
import { item, level, TestSocket, training } from './helpers';

let connection: Connection | null = null;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  connection?.end();
  vi.useRealTimers();
});

it('shows the state as it is after the connection was lost', async () => {
  const sockets: TestSocket[] = [];
  connection = startSession('ws://lab/ws', () => {
    const socket = new TestSocket();
    sockets.push(socket);
    return socket;
  });
  const welcome = (version: number, step: number) => ({ event: 'welcome', version: '0.4.0', read_only: false, trainings: [training({ version, step, state: 'running' })] });
  const first = sockets[0] as TestSocket;
  first.open();
  first.say(welcome(1, 10));
  first.say({ event: 'level', ask: first.asked('level')[0]?.ask, ...level('', [item('block', { opens: true })], []) });
  expand('block', true);
  select('block');
  want(Symbol('panel'), ['block', 'head:1']);
  await vi.advanceTimersByTimeAsync(100);
  expect(first.asked('subscribe').at(-1)).toMatchObject({ values: ['block:0', 'head:1'], gradients: true });

  first.drop();
  expect(useLab.getState().status).toBe('lost');
  expect(useLab.getState().levels['1|model|']).toBeDefined(); // what was seen stays on the screen
  await vi.advanceTimersByTimeAsync(600);
  const second = sockets[1] as TestSocket;
  second.open();
  second.say(welcome(2, 400));
  await vi.advanceTimersByTimeAsync(100);
  expect(useLab.getState().trainings[1]).toMatchObject({ step: 400, version: 2 });
  expect(second.asked('level').map(({ scope }) => scope).sort()).toEqual(['', 'block']);
  expect(second.asked('describe')).toMatchObject([{ path: 'block' }]);
  expect(second.asked('history')).toHaveLength(1);
  expect(second.asked('journal')).toHaveLength(1);
  expect(second.asked('subscribe')).toMatchObject([{ values: ['block:0', 'head:1'] }]);
});

it('tells a Lab that was started anew from one that is gone', async () => {
  const answer = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('nobody there'));
  let socket = new TestSocket();
  connection = startSession('ws://lab/ws', () => (socket = new TestSocket()));
  socket.open();
  socket.say({ event: 'welcome', version: '', read_only: false, trainings: [training()] });
  socket.drop();
  await vi.advanceTimersByTimeAsync(600);
  socket.drop();
  await vi.advanceTimersByTimeAsync(10);
  expect(useLab.getState()).toMatchObject({ status: 'lost', refused: false });
  answer.mockResolvedValue(new Response(null, { status: 200 }));
  await vi.advanceTimersByTimeAsync(1200);
  socket.drop();
  await vi.advanceTimersByTimeAsync(10);
  expect(useLab.getState()).toMatchObject({ status: 'lost', refused: true });
  await vi.advanceTimersByTimeAsync(3000);
  socket.open();
  expect(useLab.getState()).toMatchObject({ status: 'open', refused: false });
  answer.mockRestore();
});

it('asks again when a training that was still being made stands ready', async () => {
  const socket = new TestSocket();
  connection = startSession('ws://lab/ws', () => socket);
  socket.open();
  useLab.setState({ levels: {}, current: 1 });
  socket.say({ event: 'welcome', version: '', read_only: false, trainings: [training({ version: 0 })] });
  const first = socket.asked('level');
  socket.say({ event: 'failed', ask: first[0]?.ask, message: 'level', error: { code: 'missing_value', given: 'a training that is still being made', needed: 'a model' } });
  await vi.advanceTimersByTimeAsync(10);
  socket.say({ event: 'training', training: 1, state: training({ version: 1 }) });
  expect(socket.asked('level').length).toBeGreaterThan(first.length);
  expect(useLab.getState().notices).toEqual([]);
});

it('asks for levels anew when the graph has changed', async () => {
  const socket = new TestSocket();
  connection = startSession('ws://lab/ws', () => socket);
  socket.open();
  useLab.setState({ levels: {}, current: 1 });
  socket.say({ event: 'welcome', version: '', read_only: false, trainings: [training()] });
  socket.say({ event: 'level', ask: socket.asked('level')[0]?.ask, ...level('', [item('a')], []) });
  await vi.advanceTimersByTimeAsync(10);
  const before = socket.asked('level').length;
  socket.say({ event: 'training', training: 1, state: training({ step: 3 }) });
  expect(socket.asked('level')).toHaveLength(before);
  socket.say({ event: 'training', training: 1, state: training({ version: 2 }) });
  expect(socket.asked('level').length).toBeGreaterThan(before);
});
