import { useMemo, useRef, useState, type ReactNode } from 'react';
import type uPlot from 'uplot';
import { useShownTheme } from '../shell/theme';
import { labelOf, useLab } from '../state/store';
import { shortNumber } from '../words/numbers';
import { useWords } from '../words/words';
import { csvOf, QUANTITIES, type Curve, type Quantity } from './curves';
import { download, downloadPng } from './download';
import { colour, lineColour, Plot } from './plot';
import { seriesOf } from './series';
import { useCurves, useRevision } from './use_curves';

const TAILS = [0, 100, 1000];

interface OneProps {
  note: ReactNode;
  quantity: Quantity;
  trainings: number[];
  smoothing: number;
  log: boolean;
  zoom: [number, number] | null;
  onZoom(range: [number, number] | null): void;
  onPlot(plot: uPlot | null, curves: Curve[]): void;
}

function One({ note, quantity, trainings, smoothing, log, zoom, onZoom, onPlot }: OneProps) {
  const { t } = useWords();
  const theme = useShownTheme();
  const revision = useRevision(trainings);
  const curves = useCurves(quantity, trainings, smoothing, revision);
  const marks = trainings.flatMap((id) => seriesOf(id).marks);
  const kept = useRef<uPlot | null>(null);
  if (kept.current) onPlot(kept.current, curves);
  return (
    <Plot note={note} title={t(`chart_${quantity}`)} name={quantity} curves={curves} marks={marks} log={log} zoom={zoom} onZoom={onZoom} theme={theme}
      onPlot={(plot) => { kept.current = plot; onPlot(plot, curves); }} />
  );
}

// Curves of the training, with marks where something was changed. Other trainings can be laid over it.
export function Charts() {
  const { t, lang } = useWords();
  const cone = useLab((state) => state.cones[state.current]);
  const known = useLab((state) => state.trainings);
  const current = useLab((state) => state.current);
  const [chosen, setChosen] = useState<Quantity[]>(['loss', 'gradient_norm']);
  const [over, setOver] = useState<number[]>([]);
  const [log, setLog] = useState(false);
  const [smoothing, setSmoothing] = useState(0);
  const [drawn, setDrawn] = useState<[number, number] | null>(null); // by the mouse
  const [tail, setTail] = useState(0); // or so many steps before the last; 0: all
  const last = known[current]?.step ?? 0;
  const zoom = useMemo((): [number, number] | null => drawn ?? (tail > 0 && last > tail ? [last - tail, last] : null), [drawn, tail, last]);
  const plots = useRef(new Map<Quantity, { plot: uPlot; curves: Curve[] }>());
  const trainings = [current, ...over.filter((id) => id !== current && known[id])];
  const others = Object.values(known).filter(({ id }) => id !== current);
  const toggle = (quantity: Quantity) =>
    setChosen(chosen.includes(quantity) ? (chosen.length > 1 ? chosen.filter((each) => each !== quantity) : chosen) : QUANTITIES.filter((each) => each === quantity || chosen.includes(each)));
  const save = (kind: 'png' | 'csv') => {
    for (const [quantity, { plot, curves }] of plots.current) {
      if (kind === 'csv') download(`${quantity}.csv`, new Blob([csvOf(curves)], { type: 'text/csv' }));
      else downloadPng(`${quantity}.png`, plot.ctx.canvas, t(`chart_${quantity}`), curves.map(({ label }, index) => ({ label, colour: colour(lineColour(index)) })));
    }
  };
  // In the first chart, so that nothing moves when it comes.
  const note = cone && cone.computed > 0 && (
    <span className="chip accent" data-testid="cone" title={t('newLoss', { loss: shortNumber(cone.loss, lang), computed: cone.computed, kept: cone.kept })}>
      {t('newLossShort', { loss: shortNumber(cone.loss, lang), computed: cone.computed, all: cone.computed + cone.kept })}</span>
  );
  return (
    <section className="charts" aria-label={t('charts')}>
      <header>
        <div className="segments" role="group" aria-label={t('charts')}>
          {QUANTITIES.map((quantity) => <button type="button" key={quantity} aria-pressed={chosen.includes(quantity)} onClick={() => toggle(quantity)}>{t(`chart_${quantity}`)}</button>)}
        </div>
        <button type="button" className="button" aria-pressed={log} onClick={() => setLog(!log)}>{t('logScale')}</button>
        <label className="smooth">{t('smoothing')}<input type="range" min={0} max={0.98} step={0.02} value={smoothing} onChange={(event) => setSmoothing(Number(event.target.value))} /></label>
        <select className="field" aria-label={t('stretch')} value={drawn ? 'drawn' : tail} onChange={(event) => { setDrawn(null); setTail(Number(event.target.value)); }}>
          {drawn && <option value="drawn" disabled>{drawn.map((step) => Math.round(step)).join(' – ')}</option>}
          {TAILS.map((steps) => <option key={steps} value={steps}>{steps === 0 ? t('resetZoom') : t('lastSteps', { n: steps })}</option>)}
        </select>
        {others.length > 0 && <span className="row">{t('compare')}: {others.map((other) => (
          <button type="button" className="button" key={other.id} aria-pressed={over.includes(other.id)} onClick={() => setOver(over.includes(other.id) ? over.filter((each) => each !== other.id) : [...over, other.id])}>{labelOf(other)}</button>))}</span>}
        <span className="grow" />
        <button type="button" className="button" title={t('exportPng')} aria-label={t('exportPng')} onClick={() => save('png')}>PNG</button>
        <button type="button" className="button" title={t('exportCsv')} aria-label={t('exportCsv')} onClick={() => save('csv')}>CSV</button>
      </header>
      <div className="plots">
        {chosen.map((quantity, index) => (
          <One key={quantity} note={index === 0 ? note : null} quantity={quantity} trainings={trainings} smoothing={smoothing} log={log} zoom={zoom} onZoom={setDrawn}
            onPlot={(plot, curves) => { if (plot) plots.current.set(quantity, { plot, curves }); else plots.current.delete(quantity); }} />
        ))}
      </div>
    </section>
  );
}
