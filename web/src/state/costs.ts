import { useEffect } from 'react';
import { useLab } from './store';
import { command } from './session';
import type { ByRole, Cost, Item, View } from '../wire/types';

const NOT_YET = 1500; // milliseconds until it is asked again whether a step was measured
const SETTLED = 5000; // until an average over few steps is replaced by a better one, after which figures stay where they are

export interface Costs {
  version: number;
  parts: Record<string, Cost>;
}

export interface Figures {
  seconds?: number;
  bytes?: number;
}

const total = ({ forward, gradient, update }: ByRole): number => forward + gradient + update;

// What an item takes of a step, where it is known: steps of a program tell themselves, parts of the model by their path.
export function figuresOf(item: Item, view: View, costs: Costs | undefined): Figures {
  if (view === 'optimised' || view === 'plan') return item;
  const path = item.path.replace(/\/$/, '');
  const part = costs?.parts[view === 'gradient' ? path.slice(path.indexOf('/') + 1) : path];
  if (!part) return {};
  const role = view === 'expanded' || item.role === 'loss' ? 'forward' : item.role;
  const pick = (numbers: ByRole | undefined) => (numbers && (view === 'model' ? total(numbers) : numbers[role]));
  return { seconds: pick(part.seconds), bytes: pick(part.bytes) };
}

// Asks while a badge shows it. Figures that changed with every step would move the boxes they stand in.
export function useCosts(): void {
  const wanted = useLab((state) => state.badges.time || state.badges.memory);
  const training = useLab((state) => state.current);
  const version = useLab((state) => state.trainings[state.current]?.version);
  const connected = useLab((state) => state.status === 'open');
  useEffect(() => {
    if (!wanted || version === undefined || !connected) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let gone = false;
    let measured = 0;
    const ask = async () => {
      const isNew = useLab.getState().trainings[training]?.state === 'running' || measured === 0;
      const answer = isNew ? await command({ do: 'costs', training }) : null;
      if (gone) return;
      if (answer && 'event' in answer && answer.event === 'costs' && answer.parts.some(({ seconds }) => seconds)) measured += 1;
      if (measured < 2) timer = setTimeout(() => void ask(), measured === 0 ? NOT_YET : SETTLED);
    };
    void ask();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [wanted, training, version, connected]);
}
