import { pathOfValue } from '../state/readings';
import { reveal, switchView } from '../state/place';
import { useLab } from '../state/store';
import type { View } from '../wire/types';

// Shows a node, in its view.
export async function show(path: string, view: View = useLab.getState().view): Promise<void> {
  if (view !== useLab.getState().view) await switchView(view);
  await reveal(path);
}

export const showValue = (value: string): Promise<void> => show(pathOfValue(value));
