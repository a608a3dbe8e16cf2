import { useEffect } from 'react';
import { fetchDescribed } from '../state/session';
import { pathOfValue, useReadings } from '../state/readings';
import { describedOf, placeOf, useLab } from '../state/store';
import { useWatch } from '../state/watching';
import { HistogramDrawing } from '../inspect/drawings';
import { countText, shortNumber } from '../words/numbers';
import { useWords } from '../words/words';
import { useCanvas, type Hover } from './canvas_state';

function Reading({ value }: { value: string }) {
  const { t, lang } = useWords();
  const training = useLab((state) => state.current);
  useWatch([value]);
  const last = useReadings(training, value).readings.at(-1);
  if (!last) return <p className="soft">{t('noReading')}</p>;
  return (
    <>
      {last.not_finite < last.count && <HistogramDrawing histogram={last.histogram} />}
      <dl className="facts">
        <dt>{t('mean')}</dt><dd>{shortNumber(last.mean, lang)}</dd><dt>{t('deviation')}</dt><dd>{shortNumber(last.deviation, lang)}</dd>
        <dt>{t('min')}</dt><dd>{shortNumber(last.min, lang)}</dd><dt>{t('max')}</dt><dd>{shortNumber(last.max, lang)}</dd>
      </dl>
      {last.not_finite > 0 && <p className="chip warn">{t('notFinite')}: {countText(last.not_finite, lang)}</p>}
      <p className="mono soft">{last.preview.slice(0, 5).map((value) => shortNumber(value, lang)).join('  ')} …</p>
    </>
  );
}

function NodeCard({ hover }: { hover: Hover }) {
  const { t, pick, lang } = useWords();
  const described = useLab((state) => describedOf(state, hover.path));
  const live = useLab((state) => state.view === 'model' || state.view === 'expanded');
  useEffect(() => {
    if (!described) void fetchDescribed(hover.path);
  }, [described, hover.path]);
  const value = described?.outputs[0]?.value;
  const parameters = described?.variables.reduce((sum, { count }) => sum + count, 0) ?? 0;
  return (
    <>
      <h3>{hover.path}</h3>
      {hover.type !== '' && <p><code>{hover.type}</code></p>}
      {described && <p>{pick(described.role) || firstSentence(pick(described.what))}</p>}
      {parameters > 0 && <p className="soft">{t('parametersCount', { n: countText(parameters, lang) })}</p>}
      {described?.literal ? <p className="mono">{described.literal.values.slice(0, 32).map((each) => String(each ?? '—')).join(', ')}{described.literal.values.length > 32 ? ' …' : ''}</p>
        : live && value !== undefined && <Reading value={value} />}
    </>
  );
}

const firstSentence = (text: string): string => /^.*?[.:;](?=\s|$)/.exec(text)?.[0] ?? text;

function ValueCard({ hover }: { hover: Hover }) {
  const live = useLab((state) => state.view === 'model' || state.view === 'expanded');
  return (
    <>
      <h3>{pathOfValue(hover.path)}</h3>
      <p><code>{hover.type}</code></p>
      {hover.note !== '' && <p className="soft">{hover.note}</p>}
      {live && <Reading value={hover.path} />}
    </>
  );
}

// A summary beside the mouse.
export function HoverCard() {
  const hover = useCanvas((state) => state.hover);
  const menu = useLab((state) => state.menu);
  const known = useLab((state) => hover?.kind === 'node' && state.panels.inspector && placeOf(state).selected === hover.path);
  if (!hover || menu || known) return null;
  const left = Math.min(hover.x + 18, window.innerWidth - 290);
  const below = hover.y < window.innerHeight * 0.55;
  const vertical = below ? { top: hover.y + 18 } : { bottom: window.innerHeight - hover.y + 14 };
  return (
    <aside className="hover floating column" data-testid="hover" style={{ left, ...vertical }} aria-hidden="true">
      {hover.kind === 'node' ? <NodeCard hover={hover} /> : <ValueCard hover={hover} />}
    </aside>
  );
}
