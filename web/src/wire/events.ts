import type { Plan } from './plan';
import type {
  Described, Evaluation, FoundItem, History, JournalEntry, LabError, Level, Reading, Training, View,
} from './types';

interface From {
  training: number;
  ask?: number;
}

// Every event that the page understands, by its name. Others are passed over: a newer server may say more.
export type LabEvent =
  | { event: 'welcome'; ask?: number; version: string; read_only: boolean; lang?: string; trainings: Training[] }
  | { event: 'clients'; ask?: number; count: number }
  | (From & { event: 'training'; state: Training })
  | (From & { event: 'step_done'; step: number; loss: number | null; learning_rate: number;
      gradient_norm?: number | null; committed: boolean; seconds: number; epoch?: number })
  | (From & { event: 'epoch_done'; epoch: number; step: number; loss: number | null })
  | (From & { event: 'paused'; step: number; reason: string })
  | (From & { event: 'stopped'; step: number })
  | (From & { event: 'graph_ready'; warnings: string[] })
  | (From & { event: 'edit_applied'; how: string; kept: string[];
      changed: { name: string; fate: string; before?: string; after?: string }[] })
  | (From & { event: 'edit_refused'; how: string; problems: LabError[] })
  | (From & { event: 'evaluated' } & Omit<Evaluation, 'step'> & { step?: number })
  | (From & { event: 'evaluated_cone'; loss: number | null; computed: number; kept: number })
  | (From & { event: 'snapshot_taken'; id: number; label: string; step: number })
  | (From & { event: 'returned'; id: number; step: number })
  | (From & { event: 'checkpoint_saved'; step: number; path: string; is_best: boolean })
  | (From & { event: 'checkpoint_loaded'; step: number; path: string })
  | (From & { event: 'branched'; branch: number; label: string; step: number })
  | (From & { event: 'learning_rate_set'; rate: number })
  | (From & { event: 'warned'; text: string; node?: string })
  | (From & { event: 'watched'; step: number; values: Reading[] })
  | (From & { event: 'journal'; entries: JournalEntry[]; can_undo: boolean; can_redo: boolean })
  | (From & { event: 'not_finite'; step: number; view: View; path: string; op: string; what: string; count: number })
  | (From & { event: 'level' } & Level)
  | (From & { event: 'described' } & Described)
  | (From & { event: 'history' } & History)
  | (From & { event: 'plan' } & Plan)
  | (From & { event: 'found'; items: FoundItem[]; more: number })
  | (From & { event: 'located'; places: Record<View, string[]> })
  | (From & { event: 'failed'; message: string; error: LabError });

export type EventNamed<Name extends LabEvent['event']> = Extract<LabEvent, { event: Name }>;

export interface Message {
  do: string;
  training?: number;
  [field: string]: unknown;
}

// A text frame as an event; null for what is not an object with a name.
export function parseEvent(text: string): LabEvent | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return null;
    return typeof (value as { event?: unknown }).event === 'string' ? (value as LabEvent) : null;
  } catch {
    return null;
  }
}
