import type { LabEvent } from '../generated/protocol';

// Every message and event that the page understands. Other events are passed over: a newer server may say more.
export type { LabEvent, Message } from '../generated/protocol';

export type EventNamed<Name extends LabEvent['event']> = Extract<LabEvent, { event: Name }>;

// The number of the question that an event answers.
export const askOf = (event: LabEvent): number | undefined => ('ask' in event ? event.ask : undefined);

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
