import { t, type Key } from '../words/words';
import type { LabError } from '../wire/types';
import { useLab, type Notice } from './store';

let next = 1;
const SHOWN = 8000;

function add(notice: Omit<Notice, 'id'>): void {
  const id = next++;
  const before = useLab.getState().notices.filter(({ text, title }) => text !== notice.text || title !== notice.title);
  useLab.setState({ notices: [...before.slice(-3), { ...notice, id }] });
  if (notice.kind === 'done') setTimeout(() => dismiss(id), SHOWN);
}

export function notify(kind: Notice['kind'], title: Key, text: string): void {
  add({ kind, title: t(title), text });
}

// What was given, what is needed and how to mend it, as the Lab says it.
export function notifyError(error: LabError): void {
  if (error.code === 'connection_lost') return; // the banner says it
  add({ kind: 'error', title: error.given, text: error.needed, ...(error.mend ? { mend: error.mend } : {}) });
}

export function forgetNotices(which: (text: string) => boolean): void {
  useLab.setState({ notices: useLab.getState().notices.filter(({ text }) => !which(text)) });
}

export function dismiss(id: number): void {
  useLab.setState({ notices: useLab.getState().notices.filter((notice) => notice.id !== id) });
}
