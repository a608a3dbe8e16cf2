import type { Evaluation, History, JournalEntry, Mark, Words } from '../wire/types';

export type Column = 'step' | 'loss' | 'learning_rate' | 'gradient_norm' | 'seconds';
type Columns = Record<Column, (number | null)[]>;

const MOST = 8000;
const emptyColumns = (): Columns => ({ step: [], loss: [], learning_rate: [], gradient_norm: [], seconds: [] });

// Keeps `most` rows at even distances, the first and the last among them.
export function thin(columns: Columns, most: number): Columns {
  const length = columns.step.length;
  if (length <= most) return columns;
  const rows = Array.from({ length: most }, (_, index) => Math.round((index * (length - 1)) / (most - 1)));
  const take = (column: (number | null)[]) => rows.map((row) => column[row] ?? null);
  return {
    step: take(columns.step),
    loss: take(columns.loss),
    learning_rate: take(columns.learning_rate),
    gradient_norm: take(columns.gradient_norm),
    seconds: take(columns.seconds),
  };
}

interface Step {
  step: number;
  loss: number | null;
  learning_rate: number;
  gradient_norm?: number | null;
  seconds: number;
}

const both = (text: string): Words => ({ en: text, ru: text });

const OF_SETTINGS: ReadonlySet<JournalEntry['how']> = new Set(['set_learning_rate', 'set_schedule', 'set_optimizer']);

// The curve of one training. It lives outside the charts, so that drawing them anew loses nothing.
export class Series {
  columns = emptyColumns();
  evaluations: Evaluation[] = [];
  marks: Mark[] = [];
  revision = 0;
  hasGaps = false; // steps may be dropped on the way to a slow page; the Lab still has them
  private readonly listeners = new Set<() => void>();

  addStep(step: Step): void {
    const { columns } = this;
    const last = columns.step.at(-1);
    if (last !== undefined && last !== null && step.step <= last) this.cutAfter(step.step - 1);
    if (step.step > (last ?? step.step) + 1) this.hasGaps = true;
    this.columns.step.push(step.step);
    this.columns.loss.push(step.loss);
    this.columns.learning_rate.push(step.learning_rate);
    this.columns.gradient_norm.push(step.gradient_norm ?? null);
    this.columns.seconds.push(step.seconds);
    if (this.columns.step.length > MOST) this.columns = thin(this.columns, MOST / 2);
    this.changed();
  }

  addEvaluation({ step, dataset, loss, accuracy, metrics }: Evaluation): void {
    this.evaluations = this.evaluations.filter((each) => each.step !== step || each.dataset !== dataset);
    this.evaluations.push({ step, dataset, loss, ...(accuracy !== undefined ? { accuracy } : {}), ...(metrics ? { metrics } : {}) });
    this.evaluations.sort((a, b) => a.step - b.step);
    this.changed();
  }

  replace(history: History): void {
    this.columns = { ...emptyColumns(), ...history.columns };
    this.evaluations = [...history.evaluations];
    this.marks = [...history.marks];
    this.hasGaps = false;
    this.changed();
  }

  mark(step: number, kind: Mark['kind'], text: string): void {
    if (this.marks.some((mark) => mark.step === step && mark.kind === kind)) return;
    this.marks = [...this.marks, { step, kind, text: both(text) }];
    this.changed();
  }

  // The journal is the truth about edits: it replaces all marks of this kind. Settings have marks of their own.
  markEdits(entries: readonly JournalEntry[]): void {
    this.marks = [
      ...this.marks.filter(({ kind }) => kind !== 'edit'),
      ...entries.flatMap(({ step, how, text }) =>
        step === undefined || OF_SETTINGS.has(how) ? [] : [{ step, kind: 'edit' as const, text }]),
    ];
    this.changed();
  }

  // Whether steps up to this one are missing.
  lacks(step: number): boolean {
    return this.hasGaps || (this.columns.step.at(-1) ?? 0) < step;
  }

  // Steps after a return to a snapshot are another course; the old one is let go.
  cutAfter(step: number): void {
    const rows = this.columns.step.findIndex((each) => each !== null && each > step);
    if (rows >= 0) for (const column of Object.values(this.columns)) column.length = rows;
    this.evaluations = this.evaluations.filter((each) => each.step <= step);
    this.changed();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private changed(): void {
    this.revision += 1;
    this.listeners.forEach((listener) => listener());
  }
}

const all = new Map<number, Series>();

export function seriesOf(training: number): Series {
  const found = all.get(training);
  if (found) return found;
  const made = new Series();
  all.set(training, made);
  return made;
}
