import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { backOff, Connection, Refusal, type Status } from '../src/wire/connection';
import type { LabEvent } from '../src/wire/events';
import { TestSocket } from './helpers';

function start() {
  const sockets: TestSocket[] = [];
  const events: LabEvent[] = [];
  const states: Status[] = [];
  const connection = new Connection('ws://lab/ws', { event: (event) => events.push(event), tensor: () => undefined, status: (status) => states.push(status) }, () => {
    const socket = new TestSocket();
    sockets.push(socket);
    return socket;
  });
  connection.start();
  const last = () => sockets.at(-1) as TestSocket;
  return { connection, sockets, events, states, last };
}

describe('a connection', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('gives the answer with the same number', async () => {
    const { connection, last } = start();
    last().open();
    const first = connection.ask({ do: 'level', view: 'model', scope: '' });
    const second = connection.ask({ do: 'history' });
    last().say({ event: 'history', ask: last().sent[1]?.ask, training: 1 });
    last().say({ event: 'level', ask: last().sent[0]?.ask, training: 1, scope: 'a' });
    await expect(first).resolves.toMatchObject({ event: 'level', scope: 'a' });
    await expect(second).resolves.toMatchObject({ event: 'history' });
  });

  it('turns a refusal into an error with its words', async () => {
    const { connection, last } = start();
    last().open();
    const answer = connection.ask({ do: 'level', view: 'model', scope: '' });
    last().say({ event: 'failed', ask: last().sent[0]?.ask, message: 'level', error: { code: 'no_such_scope', given: 'x', needed: 'a scope' } });
    await expect(answer).rejects.toMatchObject({ error: { code: 'no_such_scope' } });
  });

  it('comes back after a loss, more and more slowly', () => {
    const { sockets, states, last } = start();
    last().open();
    last().drop();
    expect(states.at(-1)).toBe('lost');
    vi.advanceTimersByTime(250);
    expect(sockets).toHaveLength(1);
    vi.advanceTimersByTime(300);
    expect(sockets).toHaveLength(2);
    last().drop();
    vi.advanceTimersByTime(550);
    expect(sockets).toHaveLength(2);
    vi.advanceTimersByTime(500);
    expect(sockets).toHaveLength(3);
    last().open();
    expect(states.at(-1)).toBe('open');
  });

  it('rejects what waits when the connection is lost', async () => {
    const { connection, last } = start();
    last().open();
    const answer = connection.ask({ do: 'plan' });
    last().drop();
    await expect(answer).rejects.toBeInstanceOf(Refusal);
    await expect(connection.ask({ do: 'plan' })).rejects.toMatchObject({ error: { code: 'connection_lost' } });
  });

  it('does not come back after its end', () => {
    const { connection, sockets, last } = start();
    last().open();
    connection.end();
    vi.advanceTimersByTime(60_000);
    expect(sockets).toHaveLength(1);
  });

  it('passes over frames that are no events', () => {
    const { events, last } = start();
    last().open();
    last().onmessage?.({ data: 'not json' } as MessageEvent);
    last().say({ nothing: true });
    last().sayBytes(new ArrayBuffer(3));
    expect(events).toHaveLength(0);
  });
});

it('waits between 0.3 and 10 seconds', () => {
  expect(backOff(1, 0)).toBe(300);
  expect(backOff(1, 1)).toBe(500);
  expect(backOff(4, 0.5)).toBe(3200);
  expect(backOff(40, 1)).toBe(10_000);
});
