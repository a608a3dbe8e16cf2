import { useReadings } from '../state/readings';
import { trainingOf, useLab } from '../state/store';
import { useWatch } from '../state/watching';
import type { Statistics } from '../wire/types';
import { countText, shortNumber } from '../words/numbers';
import { useWords } from '../words/words';
import { HistogramDrawing, Sparkline } from './drawings';
import { TensorView } from './tensor_view';

// Where no element is finite there is nothing to draw, and no mean.
export function Facts({ statistics, gradient = false }: { statistics: Statistics; gradient?: boolean }) {
  const { t, lang } = useWords();
  const { count, not_finite: notFinite, histogram, mean, deviation, min, max } = statistics;
  const bad = notFinite > 0 && <><dt>{t('notFinite')}</dt><dd><span className="chip warn">{countText(notFinite, lang)}</span></dd></>;
  if (notFinite >= count) return <><p>{t('noFinite')}</p><dl className="facts">{bad}</dl></>;
  if (count === 1) return <dl className="facts"><dt>{t('valueOf')}</dt><dd data-fact="mean">{shortNumber(mean, lang)}</dd></dl>;
  return (
    <>
      {histogram && <HistogramDrawing histogram={histogram} gradient={gradient} />}
      <dl className="facts">
        <dt>{t('mean')}</dt><dd data-fact="mean">{shortNumber(mean, lang)}</dd>
        <dt>{t('deviation')}</dt><dd>{shortNumber(deviation, lang)}</dd>
        <dt>{t('min')}</dt><dd>{shortNumber(min, lang)}</dd>
        <dt>{t('max')}</dt><dd>{shortNumber(max, lang)}</dd>
        {bad}
      </dl>
    </>
  );
}

function Column({ title, statistics, course, gradient }: { title: string; statistics: Statistics; course: (number | null)[]; gradient: boolean }) {
  return (
    <div data-side={gradient ? 'gradient' : 'value'}>
      <h4 className="soft">{title}</h4>
      <Facts statistics={statistics} gradient={gradient} />
      <Sparkline values={course} gradient={gradient} />
    </div>
  );
}

// What flows here now: value and gradient side by side, read anew after each step, and the value as a picture.
export function LiveStatistics({ value, isInput }: { value: string; isInput: boolean }) {
  const { t, lang } = useWords();
  const training = useLab((state) => state.current);
  const seen = useLab((state) => (trainingOf(state)?.step ?? 0) > 0);
  useWatch([value]);
  const { readings, steps } = useReadings(training, value);
  const last = readings.at(-1);
  if (!last) return <p className="soft">{seen ? t('loading') : t('noReading')}</p>;
  return (
    <div className="column" data-testid="statistics">
      <div className="pair">
        <Column title={t('valueOf')} statistics={last} course={readings.map(({ mean }) => mean)} gradient={false} />
        {last.gradient ? <Column title={t('gradientOf')} statistics={last.gradient} course={readings.map(({ gradient }) => gradient?.mean ?? null)} gradient />
          : <div><h4 className="soft">{t('gradientOf')}</h4><p className="soft">{t('noGradient')}</p></div>}
      </div>
      <p className="soft">{t('count')}: {countText(last.count, lang)} · {t('atStep', { n: steps.at(-1) ?? 0 })}</p>
      <TensorView value={value} reading={last} isInput={isInput} />
    </div>
  );
}
