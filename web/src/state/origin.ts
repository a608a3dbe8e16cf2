import { useEffect, useState } from 'react';
import type { View } from '../wire/types';
import { pathOfValue } from './readings';
import { locate } from './session';
import { trainingOf, useLab } from './store';

const found = new Map<string, string | null>();
const KEPT = 500;

const isLive = (view: View): boolean => view === 'model' || view === 'expanded';

// What only the gradient or the update computes: no numbers are read there.
export const isBehind = (view: View, value: string): boolean => !isLive(view) && /^(gradient|update)\//.test(value);

// The value of the model that a value of another view was made from: values are read in the model. Only of the forward
// pass: what a gradient was made from is not what flows there. Null where there is none, or until it is known.
export function useModelValue(value: string | null): string | null {
  const view = useLab((state) => state.view);
  const training = useLab((state) => state.current);
  const version = useLab((state) => trainingOf(state)?.version ?? 0);
  const asks = value !== null && !isLive(view) && value.startsWith('forward/');
  const key = `${training}|${version}|${view}|${value}`;
  const [, setHeard] = useState('');
  useEffect(() => {
    if (!asks || found.has(key)) return;
    const path = pathOfValue(value);
    void locate(view, path).then((places) => {
      const [only, ...others] = places?.expanded ?? [];
      if (found.size > KEPT) found.clear();
      found.set(key, only !== undefined && others.length === 0 ? only + value.slice(path.length) : null);
      setHeard(key);
    });
  }, [asks, key, value, view]);
  if (value === null) return null;
  return isLive(view) ? value : (found.get(key) ?? null);
}
