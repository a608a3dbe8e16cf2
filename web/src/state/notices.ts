import { both, wordsOf, type Key } from '../words/words';
import type { EventNamed } from '../wire/events';
import type { LabError, Words } from '../wire/types';
import { useLab, type Notice, type Way } from './store';

let next = 1;
const SHOWN = 8000;

function add(notice: Omit<Notice, 'id'>): void {
  const id = next++;
  const before = useLab.getState().notices.filter(({ text, title }) => text.en !== notice.text.en || title.en !== notice.title.en);
  useLab.setState({ notices: [...before.slice(-3), { ...notice, id }] });
  if (notice.kind === 'done') setTimeout(() => dismiss(id), SHOWN);
}

export function notify(kind: Notice['kind'], title: Key, text: Words | string): void {
  add({ kind, title: wordsOf(title), text: both(text) });
}

// What was given, what is needed and how to mend it, as the Lab says it.
export function notifyError(error: LabError, ways: Way[] = []): void {
  if (error.code === 'connection_lost') return; // the banner says it
  const more = { ...(error.mend ? { mend: error.mend } : {}), ...(ways.length > 0 ? { ways } : {}) };
  add({ kind: 'error', title: both(error.given), text: both(error.needed), ...more });
}

// Where a step failed, what leads back to before it.
export function waysOf({ training, way_back: ways = [] }: EventNamed<'failed'>): Way[] {
  if (training === undefined) return [];
  return ways.map((way): Way => {
    if (way.do === 'undo') return { label: wordsOf('undoLast'), message: { do: 'undo', training } };
    const id = way.id ?? 0;
    const step = useLab.getState().snapshots[training]?.find((each) => each.id === id)?.step;
    const label = step === undefined ? wordsOf('returnToLast') : wordsOf('returnToStep', { n: step });
    return { label, message: { do: 'return_to', id, training } };
  });
}

export function forgetNotices(which: (text: string) => boolean): void {
  useLab.setState({ notices: useLab.getState().notices.filter(({ text }) => !which(text.en)) });
}

export function dismiss(id: number): void {
  useLab.setState({ notices: useLab.getState().notices.filter((notice) => notice.id !== id) });
}
