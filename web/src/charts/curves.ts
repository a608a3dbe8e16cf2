import type { Series } from './series';

export const QUANTITIES = ['loss', 'metrics', 'learning_rate', 'gradient_norm', 'throughput'] as const;
export type Quantity = (typeof QUANTITIES)[number];

export interface Curve {
  label: string;
  training: number;
  kind: 'line' | 'points';
  steps: number[];
  values: (number | null)[];
}

// Each value becomes a mean in which older ones fade by `share`; the weight of the first ones is set right, so that the
// curve does not begin at zero. Gaps stay gaps.
export function smooth(values: readonly (number | null)[], share: number): (number | null)[] {
  if (share <= 0) return [...values];
  let sum = 0;
  let weight = 0;
  return values.map((value) => {
    if (value === null) return null;
    sum = share * sum + (1 - share) * value;
    weight = share * weight + (1 - share);
    return sum / weight;
  });
}

interface Named {
  id: number;
  label: string;
  series: Series;
}

export function curvesOf(quantity: Quantity, trainings: readonly Named[], smoothing: number, words: { loss: string; validation: string; accuracy: string }): Curve[] {
  return trainings.flatMap(({ id, label, series }) => {
    const prefix = trainings.length > 1 ? `${label}: ` : '';
    const steps = series.columns.step as number[];
    const line = (name: string, values: (number | null)[]): Curve => ({ label: prefix + name, training: id, kind: 'line', steps, values: smooth(values, smoothing) });
    if (quantity === 'loss') return [line(words.loss, series.columns.loss), ...evaluations(series, id, (dataset) => `${prefix}${words.validation} ${dataset}`, ({ loss }) => loss)];
    const only = (values: (number | null)[]): Curve => ({ ...line('', values), label });
    if (quantity === 'learning_rate') return [{ ...only(series.columns.learning_rate), values: series.columns.learning_rate }];
    if (quantity === 'gradient_norm') return [only(series.columns.gradient_norm)];
    if (quantity === 'throughput') return [only( series.columns.seconds.map((seconds) => (seconds !== null && seconds > 0 ? 1 / seconds : null)))];
    const names = new Set(series.evaluations.flatMap(({ metrics }) => Object.keys(metrics ?? {})));
    return [
      ...evaluations(series, id, (dataset) => `${prefix}${words.accuracy} ${dataset}`, ({ accuracy }) => accuracy ?? null),
      ...[...names].flatMap((name) => evaluations(series, id, (dataset) => `${prefix}${name} ${dataset}`, ({ metrics }) => numberOf(metrics?.[name]))),
    ];
  });
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

type Evaluated = Series['evaluations'][number];

function evaluations(series: Series, training: number, label: (dataset: string) => string, pick: (each: Evaluated) => number | null): Curve[] {
  const datasets = [...new Set(series.evaluations.map(({ dataset }) => dataset))];
  return datasets.flatMap((dataset) => {
    const own = series.evaluations.filter((each) => each.dataset === dataset && pick(each) !== null);
    return own.length === 0 ? [] : [{ label: label(dataset), training, kind: 'points' as const, steps: own.map(({ step }) => step), values: own.map(pick) }];
  });
}

// Curves over one common axis of steps, as uPlot and CSV want them; undefined where a curve has no point.
export function aligned(curves: readonly Curve[]): [number[], ...(number | null | undefined)[][]] {
  const steps = [...new Set(curves.flatMap((curve) => curve.steps))].sort((a, b) => a - b);
  const rows = new Map(steps.map((step, row) => [step, row]));
  const columns = curves.map((curve) => {
    const column: (number | null | undefined)[] = new Array<undefined>(steps.length).fill(undefined);
    curve.steps.forEach((step, index) => (column[rows.get(step) ?? 0] = curve.values[index] ?? null));
    return column;
  });
  return [steps, ...columns];
}

const cell = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export function csvOf(curves: readonly Curve[]): string {
  const [steps, ...columns] = aligned(curves);
  const head = ['step', ...curves.map(({ label }) => cell(label))].join(',');
  const rows = steps.map((step, row) => [step, ...columns.map((column) => column[row] ?? '')].join(','));
  return [head, ...rows].join('\n') + '\n';
}
