import type { FailedEvent, Message as TrainingMessage, TrainingEvent } from '../generated/protocol';
import type { Plan } from './plan';
import type { Described, FoundItem, History, Level, Training, View } from './types';

interface From {
  training: number;
  ask?: number;
}

// What the Lab itself says, beside the events of trainings.
type OwnEvent =
  | { event: 'welcome'; ask?: number; version: string; read_only: boolean; lang?: string; trainings: Training[] }
  | { event: 'clients'; ask?: number; count: number }
  | (From & { event: 'training'; state: Training })
  | (From & { event: 'evaluated_cone'; step: number; loss: number | null; computed: number; kept: number })
  | (From & { event: 'level' } & Level)
  | (From & { event: 'described' } & Described)
  | (From & { event: 'history' } & History)
  | (From & { event: 'plan' } & Plan)
  | (From & { event: 'found'; items: FoundItem[]; more: number })
  | (From & { event: 'located'; places: Record<View, string[]> })
  | (Omit<FailedEvent, 'training'> & Partial<From>); // a question may fail that is for no training

// Every event that the page understands. Others are passed over: a newer server may say more.
export type LabEvent = OwnEvent | (Exclude<TrainingEvent, FailedEvent> & { ask?: number });

export type EventNamed<Name extends LabEvent['event']> = Extract<LabEvent, { event: Name }>;

// What the page asks of the Lab itself.
type OwnMessage = { training?: number } & (
  | { do: 'level'; view: View; scope: string }
  | { do: 'describe' | 'locate'; view: View; path: string }
  | { do: 'find'; view: View; text: string; limit: number }
  | { do: 'subscribe'; values: string[]; gradients: boolean; every: number }
  | { do: 'tensor'; value: string; gradient: boolean; limit: number }
  | { do: 'history' | 'plan' }
  | { do: 'open'; source: Record<string, string>; data?: string }
);

export type Message = TrainingMessage | OwnMessage;

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
