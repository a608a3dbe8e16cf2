import { useCallback, useSyncExternalStore } from 'react';
import type { Reading } from '../wire/types';
import { soon } from './soon';

const LENGTH = 120;

interface Kept {
  readings: Reading[];
  steps: number[];
}

// The last readings of each watched value, kept outside the store: they come with every step, and only what shows
// them should be drawn again.
const kept = new Map<string, Kept>();
const listeners = new Map<string, Set<() => void>>();
const EMPTY: Kept = { readings: [], steps: [] };

const fresh = new Set<string>();
const tell = soon(() => {
  const keys = [...fresh];
  fresh.clear();
  for (const key of keys) listeners.get(key)?.forEach((listener) => listener());
});

export const valueName = (value: string): string => (/:\d+$/.test(value) ? value : `${value}:0`);

export const pathOfValue = (value: string): string => value.replace(/:\d+$/, '');

const keyOf = (training: number, value: string): string => `${training}|${valueName(value)}`;

export function takeReadings(training: number, step: number, values: readonly Reading[]): void {
  for (const reading of values) {
    const key = keyOf(training, reading.path);
    const before = kept.get(key) ?? EMPTY;
    const same = before.steps.at(-1) === step;
    kept.set(key, {
      readings: [...(same ? before.readings.slice(0, -1) : before.readings), reading].slice(-LENGTH),
      steps: [...(same ? before.steps.slice(0, -1) : before.steps), step].slice(-LENGTH),
    });
    fresh.add(key);
  }
  tell();
}

export const readingsOf = (training: number, value: string): Kept => kept.get(keyOf(training, value)) ?? EMPTY;

export function forgetReadings(): void {
  kept.clear();
  for (const each of listeners.values()) each.forEach((listener) => listener());
}

export function useReadings(training: number, value: string | null): Kept {
  const key = value === null ? '' : keyOf(training, value);
  const subscribe = useCallback(
    (listener: () => void) => {
      const set = listeners.get(key) ?? new Set();
      set.add(listener);
      listeners.set(key, set);
      return () => {
        set.delete(listener);
        if (set.size === 0) listeners.delete(key);
      };
    },
    [key],
  );
  return useSyncExternalStore(subscribe, () => kept.get(key) ?? EMPTY);
}
