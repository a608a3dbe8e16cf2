// What the page calls the things that the schema of the protocol defines.
import type { DescribedEvent, HistoryEvent, LevelEvent, PlanEvent } from '../generated/protocol';

export { VIEWS } from '../generated/protocol';
export type {
  Attribute, AttributeValue, ByRole, Cost, Edge, ErrorDetail as LabError, Evaluation, FoundItem, Histogram, Item, JournalEntry, Literal,
  Mark, Places, Port, Portal, Reading, Repeats, Snapshot, Statistics, TensorEvent as TensorHeader, Training, Variable, View, Words,
} from '../generated/protocol';

// An answer without what only says which question it answers.
type Told<Event> = Omit<Event, 'event' | 'ask'>;

export type Level = Told<LevelEvent>;
export type Described = Told<DescribedEvent>;
export type History = Omit<Told<HistoryEvent>, 'training'>;
export type Plan = Omit<Told<PlanEvent>, 'training'>;
