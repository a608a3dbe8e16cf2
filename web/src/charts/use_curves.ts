import { useEffect, useMemo, useState } from 'react';
import { labelOf, useLab } from '../state/store';
import { useWords } from '../words/words';
import { curvesOf, type Curve, type Quantity } from './curves';
import { seriesOf } from './series';

// Tells of new points at most once per drawn picture.
export function useRevision(trainings: readonly number[]): number {
  const [revision, setRevision] = useState(0);
  const key = trainings.join(',');
  useEffect(() => {
    let frame = 0;
    const tell = () => {
      if (frame !== 0) return;
      frame = requestAnimationFrame(() => {
        frame = 0;
        setRevision((before) => before + 1);
      });
    };
    const ends = key.split(',').filter(Boolean).map((id) => seriesOf(Number(id)).subscribe(tell));
    tell();
    return () => {
      cancelAnimationFrame(frame);
      ends.forEach((end) => end());
    };
  }, [key]);
  return revision;
}

export function useCurves(quantity: Quantity, trainings: readonly number[], smoothing: number, revision: number): Curve[] {
  const { t, lang } = useWords();
  const known = useLab((state) => state.trainings);
  const labels = trainings.map((id) => (known[id] ? labelOf(known[id]) : String(id))).join('\n');
  return useMemo(() => {
    const names = labels.split('\n');
    const named = trainings.map((id, index) => ({ id, label: names[index] ?? String(id), series: seriesOf(id) }));
    return curvesOf(quantity, named, smoothing, { loss: t('curveTraining'), validation: t('validation'), accuracy: t('accuracy') });
  }, [quantity, trainings.join(','), labels, smoothing, revision, lang]);
}
