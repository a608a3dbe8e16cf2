import { seriesOf } from '../charts/series';
import { Connection, Refusal, type Socket } from '../wire/connection';
import type { EventNamed, LabEvent, Message } from '../wire/events';
import type { TensorFrame } from '../wire/tensor';
import type { Places, View } from '../wire/types';
import { hasOwnLang } from './keep';
import { forgetReadings } from './readings';
import { receive } from './receive';
import { levelKey, placeOf, useLab } from './store';
import { tellWatchingTo } from './watching';

let connection: Connection | null = null;
const asked = new Map<string, Promise<void>>();

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
        useLab.setState({ status, attempt, ...(status === 'open' ? { refused: false } : {}) });
        if (status === 'lost' && (attempt > 1 || !useLab.getState().greeted)) void probe();
      },
    },
    open,
  );
  connection.start();
  return connection;
}

// A socket that is refused looks like one that finds nobody. If the page itself can still be fetched, the Lab was
// started anew, and has another token.
async function probe(): Promise<void> {
  const there = await fetch(window.location.pathname, { method: 'HEAD', cache: 'no-store' }).then(({ ok }) => ok, () => false);
  if (useLab.getState().status === 'lost') useLab.setState({ refused: there });
}

export const hurry = (): void => connection?.hurry();

// These are answered by what happens, not by an event of their own.
const UNANSWERED = new Set<Message['do']>(['run', 'step', 'subscribe']);

// Sends a message for the current training; a refusal has been shown by the time the promise is null.
export async function command(message: Message): Promise<LabEvent | TensorFrame | null> {
  if (!connection) return null;
  const whole = { training: useLab.getState().current, ...message };
  if (UNANSWERED.has(message.do)) {
    connection.tell(whole);
    return null;
  }
  try {
    return await connection.ask(whole);
  } catch (reason) {
    if (reason instanceof Refusal) return null;
    throw reason;
  }
}

function askOnce(key: string, message: Message): Promise<void> {
  const pending = asked.get(key) ?? command(message).then(() => void asked.delete(key));
  asked.set(key, pending);
  return pending;
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

export async function locate(view: View, path: string): Promise<Places | null> {
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
    const { levels, view } = useLab.getState();
    const stale = Object.values(levels).some((level) => level.training === event.training && level.version < event.state.version);
    // A training that is still being made has no levels yet; when it stands, it says so by this event.
    if (stale || !levels[levelKey(event.training, view, '')]) {
      useLab.setState({ levels: onlyShown(), described: onlySelected(), plans: {} });
      refresh();
    }
  }
  if (event.event === 'paused' && seriesOf(event.training).lacks(event.step)) void command({ do: 'history', training: event.training });
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
