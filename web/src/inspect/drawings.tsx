import type { Histogram } from '../wire/types';
import { shortNumber } from '../words/numbers';
import { useWords } from '../words/words';

const WIDTH = 160;
const HEIGHT = 44;

export function HistogramDrawing({ histogram, gradient = false }: { histogram: Histogram; gradient?: boolean }) {
  const { t, lang } = useWords();
  const most = Math.max(1, ...histogram.counts);
  const wide = WIDTH / histogram.counts.length;
  const { low, high } = histogram;
  return (
    <figure>
      <svg className="drawing" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={t('histogram')}>
        {histogram.counts.map((count, index) => {
          const height = (count / most) * (HEIGHT - 1);
          return <rect key={index} className={`bars${gradient ? ' gradient' : ''}`} x={index * wide} y={HEIGHT - height} width={Math.max(0.5, wide - 0.6)} height={height} />;
        })}
        {low < 0 && high > 0 && <line className="axis" x1={(-low / (high - low)) * WIDTH} x2={(-low / (high - low)) * WIDTH} y1="0" y2={HEIGHT} />}
      </svg>
      <div className="scale"><span>{shortNumber(low, lang)}</span><span>{shortNumber(high, lang)}</span></div>
    </figure>
  );
}

export function Sparkline({ values, gradient = false }: { values: (number | null)[]; gradient?: boolean }) {
  const { t } = useWords();
  const finite = values.filter((value): value is number => value !== null);
  if (finite.length < 2) return null;
  const low = Math.min(...finite);
  const span = Math.max(...finite) - low || 1;
  const points = values.flatMap((value, index) =>
    value === null ? [] : [`${((index / (values.length - 1)) * WIDTH).toFixed(1)},${(26 - ((value - low) / span) * 24).toFixed(1)}`]);
  return (
    <svg className="drawing" viewBox={`0 0 ${WIDTH} 28`} preserveAspectRatio="none" role="img" aria-label={t('overSteps')}>
      <polyline className={`line${gradient ? ' gradient' : ''}`} points={points.join(' ')} />
    </svg>
  );
}
