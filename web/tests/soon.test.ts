import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { receive } from '../src/state/receive';
import { soon } from '../src/state/soon';
import { useLab } from '../src/state/store';
import { training } from './helpers';

beforeEach(() => { vi.useFakeTimers(); });
afterEach(() => { vi.useRealTimers(); });

it('many calls become one, and what waits can be done at once', () => {
  const act = vi.fn();
  const later = soon(act);
  later();
  later();
  expect(act).not.toHaveBeenCalled();
  vi.runAllTimers();
  expect(act).toHaveBeenCalledTimes(1);
  later();
  later.now();
  vi.runAllTimers();
  expect(act).toHaveBeenCalledTimes(2);
});

describe('steps', () => {
  const done = (step: number, committed = true) => receive({ event: 'step_done', training: 1, step, loss: 1, learning_rate: 1, committed, seconds: 1 });

  it('change the store once per picture, however many come', () => {
    receive({ event: 'welcome', version: '', read_only: false, lang: 'en', trainings: [training({ state: 'running' })] });
    const heard = vi.fn();
    const end = useLab.subscribe(heard);
    for (let step = 1; step <= 100; step += 1) done(step);
    vi.runAllTimers();
    end();
    expect(heard).toHaveBeenCalledTimes(1);
    expect(useLab.getState().trainings[1]?.step).toBe(100);
  });

  it('come before what happened after them', () => {
    done(7);
    receive({ event: 'paused', training: 1, step: 7, reason: 'asked' });
    vi.runAllTimers();
    expect(useLab.getState().trainings[1]).toMatchObject({ step: 7, state: 'paused' });
  });

  it('of which one changed something end the alarm', () => {
    receive({ event: 'not_finite', training: 1, step: 7, view: 'model', path: 'a', op: 'Log', what: { en: 'NaN', ru: 'NaN' }, count: 1 });
    done(8, true);
    done(9, false);
    vi.runAllTimers();
    expect(useLab.getState().alarm).toBeNull();
  });
});
