import { describe, expect, it } from 'vitest';
import { aligned, csvOf, curvesOf, smooth } from '../src/charts/curves';
import { Series, thin } from '../src/charts/series';

const row = (step: number) => ({ step, loss: 1 / step, learning_rate: 0.1, gradient_norm: 1, seconds: 0.5 });
const words = { loss: 'Loss', validation: 'validation', accuracy: 'Accuracy' };

function filled(count: number): Series {
  const series = new Series();
  for (let step = 1; step <= count; step += 1) series.addStep(row(step));
  return series;
}

describe('a series', () => {
  it('is thinned evenly and keeps both ends', () => {
    const { columns } = filled(1000);
    const few = thin(columns, 100);
    expect(few.step).toHaveLength(100);
    expect([few.step[0], few.step.at(-1)]).toEqual([1, 1000]);
    const gaps = few.step.slice(1).map((step, index) => (step ?? 0) - (few.step[index] ?? 0));
    expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(1);
    expect(thin(columns, 5000)).toBe(columns);
  });

  it('stays below 8,000 points however long a training is', () => {
    const series = filled(20_000);
    expect(series.columns.step.length).toBeLessThanOrEqual(8000);
    expect(series.columns.step.length).toBeGreaterThan(3000);
    expect(series.columns.step.at(-1)).toBe(20_000);
  });

  it('lets go of what came after a snapshot that one returned to', () => {
    const series = filled(10);
    series.addEvaluation({ step: 8, dataset: 'held_out', loss: 1 });
    series.cutAfter(5);
    expect(series.columns.step).toEqual([1, 2, 3, 4, 5]);
    expect(series.columns.loss).toHaveLength(5);
    expect(series.evaluations).toHaveLength(0);
    series.addStep(row(3));
    expect(series.columns.step).toEqual([1, 2, 3]);
  });

  it('notices that steps were lost, until the history fills them in', () => {
    const series = new Series();
    [5, 6].forEach((step) => series.addStep(row(step)));
    expect(series.hasGaps).toBe(false);
    series.addStep(row(9));
    expect(series.hasGaps).toBe(true);
    expect(series.lacks(9)).toBe(true);
    series.replace({ columns: { step: [5, 6, 7, 8, 9], loss: [], learning_rate: [], gradient_norm: [], seconds: [] }, evaluations: [], marks: [] });
    expect([9, 10].map((step) => series.lacks(step))).toEqual([false, true]);
  });

  it('marks each edit of the journal once', () => {
    const series = new Series();
    const entry = { id: 1, step: 4, how: 'apply' as const, text: { en: 'a', ru: 'а' }, undone: false, edit: { commands: [] } };
    series.markEdits([entry]);
    series.markEdits([entry, { ...entry, id: 2, step: 9, how: 'undo' }, { ...entry, id: 3, step: 11, how: 'set_learning_rate' }]);
    series.mark(4, 'snapshot', 's');
    series.mark(4, 'snapshot', 's');
    expect(series.marks.map(({ step, kind }) => `${step} ${kind}`)).toEqual(['4 edit', '9 edit', '4 snapshot']);
    expect(series.marks[1]?.text).toEqual({ en: 'a', ru: 'а' });
  });

  it('tells who listens, until they leave', () => {
    const series = new Series();
    let told = 0;
    const end = series.subscribe(() => (told += 1));
    series.addStep(row(1));
    end();
    series.addStep(row(2));
    expect(told).toBe(1);
  });
});

it('smoothing keeps gaps, does not start at zero and keeps a constant', () => {
  expect(smooth([2, 2, null, 2], 0.9).map((value) => value && Math.round(value * 1e9) / 1e9)).toEqual([2, 2, null, 2]);
  expect(smooth([1, 3], 0)).toEqual([1, 3]);
  const [, second] = smooth([0, 1], 0.5);
  expect(second).toBeCloseTo(2 / 3);
});

it('curves of training and validation share one axis, and go to CSV', () => {
  const series = filled(3);
  series.addEvaluation({ step: 2, dataset: 'held_out', loss: 0.75, accuracy: 0.5, metrics: { 'top, 5': 0.9 } });
  const loss = curvesOf('loss', [{ id: 1, label: 'a', series }], 0, words);
  expect(loss.map(({ label }) => label)).toEqual(['Loss', 'validation held_out']);
  expect(aligned(loss)).toEqual([[1, 2, 3], [1, 0.5, 1 / 3], [undefined, 0.75, undefined]]);
  const metrics = curvesOf('metrics', [{ id: 1, label: 'a', series }], 0, words);
  expect(csvOf(metrics)).toBe('step,Accuracy held_out,"top, 5 held_out"\n2,0.5,0.9\n');
  expect(curvesOf('throughput', [{ id: 1, label: 'a', series }], 0, words)[0]?.values).toEqual([2, 2, 2]);
});

it('trainings laid over each other carry their names', () => {
  const both = [{ id: 1, label: 'a', series: filled(2) }, { id: 2, label: 'b', series: filled(1) }];
  expect(curvesOf('loss', both, 0, words).map(({ label }) => label)).toEqual(['a: Loss', 'b: Loss']);
});
