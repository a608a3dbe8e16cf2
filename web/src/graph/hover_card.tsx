import { useEffect, useLayoutEffect, useRef } from 'react';
import { fetchDescribed } from '../state/session';
import { isBehind, useModelValue } from '../state/origin';
import { pathOfValue, useReadings } from '../state/readings';
import { describedOf, itemOf, placeOf, trainingOf, useLab } from '../state/store';
import { useWatch } from '../state/watching';
import { Facts } from '../inspect/statistics';
import { countText, shortNumber } from '../words/numbers';
import { Prose } from '../words/prose';
import { useWords } from '../words/words';
import { useCanvas, type Hover } from './canvas_state';
import { shorten } from './measure';

// What it is called, and where it is, when that says more.
function Name({ path }: { path: string }) {
  const name = useLab((state) => itemOf(state, path)?.name) ?? path;
  return (
    <>
      <h3>{shorten(name, 13, 600, 480)}</h3>
      {name !== path && <p className="mono soft">{shorten(path, 12, 400, 700)}</p>}
    </>
  );
}

const FEW = 5;

function Reading({ value }: { value: string }) {
  const { t, lang } = useWords();
  const training = useLab((state) => state.current);
  const seen = useLab((state) => (trainingOf(state)?.step ?? 0) > 0);
  useWatch([value]);
  const last = useReadings(training, value).readings.at(-1);
  if (!last) return <p className="soft">{seen ? t('loading') : t('noReading')}</p>;
  return (
    <>
      <Facts statistics={last} />
      {last.count > 1 && <p className="mono soft">{last.preview.slice(0, FEW).map((each) => shortNumber(each, lang)).join('  ')}{last.count > FEW ? ' …' : ''}</p>}
      {last.gradient && <p className="soft">{t('gradientOf')}: {t('mean')} {shortNumber(last.gradient.mean, lang)}, {t('deviation')} {shortNumber(last.gradient.deviation, lang)}</p>}
    </>
  );
}

// What flows there, or in a view that was made from the model, what flows in the model.
function Live({ value }: { value: string }) {
  const { t } = useWords();
  const behind = useLab((state) => isBehind(state.view, value));
  const read = useModelValue(value);
  if (behind) return <p className="soft">{t('notRead')}</p>;
  if (read === null) return null;
  return (
    <>
      {read !== value && <p className="soft">{t('inModel', { name: shorten(pathOfValue(read), 13, 400, 400) })}</p>}
      <Reading value={read} />
    </>
  );
}

function NodeCard({ hover }: { hover: Hover }) {
  const { t, pick, lang } = useWords();
  const described = useLab((state) => describedOf(state, hover.path));
  const opens = useLab((state) => itemOf(state, hover.path)?.opens ?? false);
  const model = useLab((state) => state.view === 'model' || state.view === 'expanded');
  useEffect(() => {
    if (!described) void fetchDescribed(hover.path);
  }, [described, hover.path]);
  const value = described?.outputs[0]?.value;
  const parameters = described?.variables.reduce((sum, { count }) => sum + count, 0) ?? 0;
  return (
    <>
      <Name path={hover.path} />
      {hover.type !== '' && <p><code>{hover.type}</code></p>}
      {described && <p><Prose text={pick(described.role) || firstSentence(pick(described.what))} /></p>}
      {parameters > 0 && <p className="soft">{t('parametersCount', { n: countText(parameters, lang) })}</p>}
      {described?.literal ? <p className="mono">{described.literal.values.slice(0, 32).map((each) => String(each ?? '—')).join(', ')}{described.literal.values.length > 32 ? ' …' : ''}</p>
        : value !== undefined && (model || !opens) && <Live value={value} />}
    </>
  );
}

const firstSentence = (text: string): string => /^.*?[.:;](?=\s|$)/.exec(text)?.[0] ?? text;

function ValueCard({ hover }: { hover: Hover }) {
  return (
    <>
      <Name path={pathOfValue(hover.path)} />
      <p><code>{hover.type}</code></p>
      {hover.note !== '' && <p className="soft">{hover.note}</p>}
      <Live value={hover.path} />
    </>
  );
}

const AWAY = 18;
const EDGE = 8;

// A summary beside the mouse.
export function HoverCard() {
  const hover = useCanvas((state) => state.hover);
  const menu = useLab((state) => state.menu);
  const known = useLab((state) => hover?.kind === 'node' && state.panels.inspector && placeOf(state).selected === hover.path);
  const place = useRef<HTMLElement>(null);
  // Beside the mouse, and whole: it grows when its numbers come.
  useLayoutEffect(() => {
    const card = place.current;
    if (!card || !hover) return undefined;
    const move = () => {
      const { offsetWidth: width, offsetHeight: height } = card;
      const right = hover.x + AWAY + width <= window.innerWidth - EDGE;
      card.style.left = `${right ? hover.x + AWAY : Math.max(EDGE, hover.x - AWAY - width)}px`;
      card.style.top = `${Math.max(EDGE, Math.min(hover.y + AWAY, window.innerHeight - EDGE - height))}px`;
    };
    move();
    const observer = new ResizeObserver(move);
    observer.observe(card);
    return () => observer.disconnect();
  }, [hover, menu, known]);
  if (!hover || menu || known) return null;
  return (
    <aside className="hover floating column" data-testid="hover" ref={place} aria-hidden="true">
      {hover.kind === 'node' ? <NodeCard hover={hover} /> : <ValueCard hover={hover} />}
    </aside>
  );
}
