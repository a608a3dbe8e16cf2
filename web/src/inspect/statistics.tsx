import { useReadings } from '../state/readings';
import { useLab } from '../state/store';
import { useWatch } from '../state/watching';
import type { Statistics } from '../wire/types';
import { countText, shortNumber } from '../words/numbers';
import { useWords } from '../words/words';
import { HistogramDrawing, Sparkline } from './drawings';

function Column({ title, statistics, course, gradient }: { title: string; statistics: Statistics; course: (number | null)[]; gradient: boolean }) {
  const { t, lang } = useWords();
  const known = statistics.not_finite < statistics.count;
  return (
    <div data-side={gradient ? 'gradient' : 'value'}>
      <h4 className="soft">{title}</h4>
      {known && <HistogramDrawing histogram={statistics.histogram} gradient={gradient} />}
      <dl className="facts">
        <dt>{t('mean')}</dt><dd data-fact="mean">{known ? shortNumber(statistics.mean, lang) : '—'}</dd>
        <dt>{t('deviation')}</dt><dd>{known ? shortNumber(statistics.deviation, lang) : '—'}</dd>
        <dt>{t('min')}</dt><dd>{shortNumber(statistics.min, lang)}</dd>
        <dt>{t('max')}</dt><dd>{shortNumber(statistics.max, lang)}</dd>
        {statistics.not_finite > 0 && <><dt>{t('notFinite')}</dt><dd><span className="chip warn">{countText(statistics.not_finite, lang)}</span></dd></>}
      </dl>
      <Sparkline values={course} gradient={gradient} />
    </div>
  );
}

// What flows here now: value and gradient side by side, read anew after each step.
export function LiveStatistics({ value }: { value: string }) {
  const { t, lang } = useWords();
  const training = useLab((state) => state.current);
  useWatch([value]);
  const { readings, steps } = useReadings(training, value);
  const last = readings.at(-1);
  if (!last) return <p className="soft">{t('noReading')}</p>;
  return (
    <div className="column" data-testid="statistics">
      <div className="pair">
        <Column title={t('valueOf')} statistics={last} course={readings.map(({ mean }) => mean)} gradient={false} />
        {last.gradient ? <Column title={t('gradientOf')} statistics={last.gradient} course={readings.map(({ gradient }) => gradient?.mean ?? null)} gradient />
          : <div><h4 className="soft">{t('gradientOf')}</h4><p className="soft">{t('noGradient')}</p></div>}
      </div>
      <p className="soft">{t('count')}: {countText(last.count, lang)} · {t('atStep', { n: steps.at(-1) ?? 0 })}</p>
    </div>
  );
}
