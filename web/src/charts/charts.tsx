import { useRef, useState } from 'react';
import type uPlot from 'uplot';
import { Icon } from '../shell/icon';
import { useShownTheme } from '../shell/theme';
import { labelOf, useLab } from '../state/store';
import { shortNumber } from '../words/numbers';
import { useWords } from '../words/words';
import { csvOf, QUANTITIES, type Curve, type Quantity } from './curves';
import { download, downloadPng } from './download';
import { Plot } from './plot';
import { seriesOf } from './series';
import { useCurves, useRevision } from './use_curves';

interface OneProps {
  quantity: Quantity;
  trainings: number[];
  smoothing: number;
  log: boolean;
  zoom: [number, number] | null;
  onZoom(range: [number, number] | null): void;
  onPlot(plot: uPlot | null, curves: Curve[]): void;
}

function One({ quantity, trainings, smoothing, log, zoom, onZoom, onPlot }: OneProps) {
  const { t } = useWords();
  const theme = useShownTheme();
  const revision = useRevision(trainings);
  const curves = useCurves(quantity, trainings, smoothing, revision);
  const marks = trainings.flatMap((id) => seriesOf(id).marks);
  const kept = useRef<uPlot | null>(null);
  if (kept.current) onPlot(kept.current, curves);
  return (
    <Plot title={t(`chart_${quantity}`)} name={quantity} curves={curves} marks={marks} log={log} zoom={zoom} onZoom={onZoom} theme={theme}
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
  const [zoom, setZoom] = useState<[number, number] | null>(null);
  const plots = useRef(new Map<Quantity, { plot: uPlot; curves: Curve[] }>());
  const trainings = [current, ...over.filter((id) => id !== current && known[id])];
  const others = Object.values(known).filter(({ id }) => id !== current);
  const toggle = (quantity: Quantity) =>
    setChosen(chosen.includes(quantity) ? (chosen.length > 1 ? chosen.filter((each) => each !== quantity) : chosen) : QUANTITIES.filter((each) => each === quantity || chosen.includes(each)));
  const save = (kind: 'png' | 'csv') => {
    for (const [quantity, { plot, curves }] of plots.current) {
      if (kind === 'csv') download(`${quantity}.csv`, new Blob([csvOf(curves)], { type: 'text/csv' }));
      else downloadPng(`${quantity}.png`, plot.ctx.canvas, getComputedStyle(document.documentElement).getPropertyValue('--surface'));
    }
  };
  return (
    <section className="charts" aria-label={t('charts')}>
      <header>
        <div className="segments" role="group" aria-label={t('charts')}>
          {QUANTITIES.map((quantity) => <button type="button" key={quantity} aria-pressed={chosen.includes(quantity)} onClick={() => toggle(quantity)}>{t(`chart_${quantity}`)}</button>)}
        </div>
        <button type="button" className="button" aria-pressed={log} onClick={() => setLog(!log)}>{t('logScale')}</button>
        <label className="smooth">{t('smoothing')}<input type="range" min={0} max={0.98} step={0.02} value={smoothing} onChange={(event) => setSmoothing(Number(event.target.value))} /></label>
        {zoom && <button type="button" className="button" onClick={() => setZoom(null)}><Icon name="zoom" />{t('resetZoom')}</button>}
        {others.length > 0 && <span className="row">{t('compare')}: {others.map((other) => (
          <button type="button" className="button" key={other.id} aria-pressed={over.includes(other.id)} onClick={() => setOver(over.includes(other.id) ? over.filter((each) => each !== other.id) : [...over, other.id])}>{labelOf(other)}</button>))}</span>}
        {cone && cone.computed > 0 && <span className="chip accent" data-testid="cone" title={t('newLoss', { loss: shortNumber(cone.loss, lang), computed: cone.computed, kept: cone.kept })}>{t('newLossShort', { loss: shortNumber(cone.loss, lang), computed: cone.computed, all: cone.computed + cone.kept })}</span>}
        <span className="grow" />
        <button type="button" className="button" title={t('exportPng')} aria-label={t('exportPng')} onClick={() => save('png')}><Icon name="download" />PNG</button>
        <button type="button" className="button" title={t('exportCsv')} aria-label={t('exportCsv')} onClick={() => save('csv')}><Icon name="download" />CSV</button>
      </header>
      <div className="plots">
        {chosen.map((quantity) => (
          <One key={quantity} quantity={quantity} trainings={trainings} smoothing={smoothing} log={log} zoom={zoom} onZoom={setZoom}
            onPlot={(plot, curves) => { if (plot) plots.current.set(quantity, { plot, curves }); else plots.current.delete(quantity); }} />
        ))}
      </div>
    </section>
  );
}
