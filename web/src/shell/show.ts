import { pathOfValue } from '../state/readings';
import { reveal, switchTraining, switchView } from '../state/place';
import { useLab } from '../state/store';
import type { View } from '../wire/types';

// Shows a node, in its view.
export async function show(path: string, view: View = useLab.getState().view): Promise<void> {
  if (view !== useLab.getState().view) await switchView(view);
  await reveal(path);
}

export async function showIn(training: number, path: string, view: View): Promise<void> {
  if (training !== useLab.getState().current) switchTraining(training);
  await show(path, view);
}

export const showValue = (value: string): Promise<void> => show(pathOfValue(value));
