import { Connection, Refusal, type Socket } from '../wire/connection';
import type { EventNamed, LabEvent, Message } from '../wire/events';
import type { TensorFrame } from '../wire/tensor';
import type { View } from '../wire/types';
import { hasOwnLang } from './keep';
import { forgetReadings } from './readings';
import { receive } from './receive';
import { levelKey, placeOf, useLab } from './store';
import { tellWatchingTo } from './watching';

let connection: Connection | null = null;
const asked = new Set<string>();

// Opens the connection and keeps the store in step with the Lab.
export function startSession(url: string, open?: (url: string) => Socket): Connection {
  connection = new Connection(
    url,
    {
      event: (event) => {
        receive(event);
        follow(event);
      },
      tensor: () => undefined,
      status: (status, attempt) => {
        if (status !== 'open') {
          asked.clear();
          tellWatchingTo(null);
        }
        useLab.setState({ status, attempt });
      },
    },
    open,
  );
  connection.start();
  return connection;
}

export const hurry = (): void => connection?.hurry();

// Sends a message for the current training; a refusal has been shown by the time the promise is null.
export async function command(message: Message): Promise<LabEvent | TensorFrame | null> {
  if (!connection) return null;
  try {
    return await connection.ask({ training: useLab.getState().current, ...message });
  } catch (reason) {
    if (reason instanceof Refusal) return null;
    throw reason;
  }
}

async function askOnce(key: string, message: Message): Promise<void> {
  if (asked.has(key)) return;
  asked.add(key);
  await command(message);
  asked.delete(key);
}

export function fetchLevel(scope: string, view: View = useLab.getState().view): Promise<void> {
  return askOnce(`level|${levelKey(useLab.getState().current, view, scope)}`, { do: 'level', view, scope });
}

export function fetchDescribed(path: string, view: View = useLab.getState().view): Promise<void> {
  return askOnce(`describe|${levelKey(useLab.getState().current, view, path)}`, { do: 'describe', view, path });
}

export const fetchPlan = (): Promise<void> => askOnce(`plan|${useLab.getState().current}`, { do: 'plan' });

export async function find(view: View, text: string): Promise<EventNamed<'found'> | null> {
  const answer = await command({ do: 'find', view, text, limit: 50 });
  return answer && 'event' in answer && answer.event === 'found' ? answer : null;
}

export async function locate(view: View, path: string): Promise<Record<View, string[]> | null> {
  const answer = await command({ do: 'locate', view, path });
  return answer && 'event' in answer && answer.event === 'located' ? answer.places : null;
}

export async function fetchTensor(value: string, gradient: boolean): Promise<TensorFrame | null> {
  const answer = await command({ do: 'tensor', value, gradient, limit: 65536 });
  return answer && 'values' in answer && answer.values instanceof Float32Array ? (answer as TensorFrame) : null;
}

// Everything that is on the screen, asked for again: after a reconnection, another training, another version.
export function refresh(): void {
  const state = useLab.getState();
  const place = placeOf(state);
  void fetchLevel('');
  void fetchLevel(place.root);
  for (const scope of place.expanded) if (scope.startsWith(place.root)) void fetchLevel(scope);
  if (place.selected !== null) void fetchDescribed(place.selected);
  if (state.view === 'plan') void fetchPlan();
}

export function fetchTraining(training: number): void {
  void command({ do: 'history', training });
  void command({ do: 'journal', training });
}

// Levels and descriptions of an older version say nothing about the graph of now. They stay on the screen until the new ones are there.
function follow(event: LabEvent): void {
  if (event.event === 'welcome') {
    if (event.lang !== undefined && !hasOwnLang()) useLab.setState({ lang: event.lang === 'ru' ? 'ru' : 'en' });
    forgetReadings();
    useLab.setState({ levels: onlyShown(), described: {}, plans: {} });
    event.trainings.forEach(({ id }) => fetchTraining(id));
    refresh();
    tellWatchingTo((values) => void command({ do: 'subscribe', values, gradients: true, every: 1 }));
  }
  if (event.event === 'training' && event.training === useLab.getState().current) {
    const stale = Object.values(useLab.getState().levels).some(
      (level) => level.training === event.training && level.version < event.state.version,
    );
    if (stale) {
      useLab.setState({ levels: onlyShown(), described: onlySelected(), plans: {} });
      refresh();
    }
  }
  if (event.event === 'branched') fetchTraining(event.branch);
  if (event.event === 'returned' || event.event === 'checkpoint_loaded') fetchTraining(event.training);
}

function onlySelected() {
  const state = useLab.getState();
  const selected = placeOf(state).selected;
  const key = levelKey(state.current, state.view, selected ?? '');
  const described = state.described[key];
  return described ? { [key]: described } : {};
}

function onlyShown() {
  const state = useLab.getState();
  const place = placeOf(state);
  const shown = new Set(['', place.root, ...place.expanded].map((scope) => levelKey(state.current, state.view, scope)));
  return Object.fromEntries(Object.entries(state.levels).filter(([key]) => shown.has(key)));
}
