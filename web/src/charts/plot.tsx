import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import uPlot from 'uplot';
import type { Mark } from '../wire/types';
import { shortNumber } from '../words/numbers';
import { isKey, useWords } from '../words/words';
import { aligned, type Curve } from './curves';

interface Props {
  note: ReactNode;
  title: string;
  name: string;
  curves: Curve[];
  marks: Mark[];
  log: boolean;
  zoom: [number, number] | null;
  onZoom(range: [number, number] | null): void;
  theme: string;
  onPlot(plot: uPlot | null): void;
}

export const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const LINES = ['--accent', '--second', '--gradient', '--good', '--bad', '--text-soft'];
export const lineColour = (index: number): string => LINES[index % LINES.length] ?? '--accent';
const MARKS: Record<string, string> = { edit: '--second', snapshot: '--good', checkpoint: '--good', branch: '--gradient', learning_rate: '--text-soft' };

const FEW = 24; // so few points of a line are drawn as points too
const MANY = 60; // and so many validations as a line alone

// A logarithm has no place for zero and less.
function dataOf(curves: Curve[], log: boolean): uPlot.AlignedData {
  const [steps, ...columns] = aligned(curves);
  return [steps, ...(log ? columns.map((column) => column.map((value) => (typeof value === 'number' && value <= 0 ? null : value))) : columns)];
}

interface Tip {
  left: number;
  text: string;
}

// One chart. It is made anew when curves come or go, the theme or the scale changes; new points only replace the data.
export function Plot({ note, title, name, curves, marks, log, zoom, onZoom, theme, onPlot }: Props) {
  const { lang, t, pick } = useWords();
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const shownMarks = useRef(marks);
  shownMarks.current = marks;
  const shownCurves = useRef(curves);
  shownCurves.current = curves;
  const [tip, setTip] = useState<Tip | null>(null);
  const shape = curves.map(({ label, kind }) => `${kind} ${label}`).join('|');

  useEffect(() => {
    const node = place.current;
    if (!node) return undefined;
    const size = () => ({ width: Math.max(80, node.clientWidth), height: Math.max(50, node.clientHeight) });
    const axis = { stroke: colour('--text-soft'), grid: { stroke: colour('--line'), width: 1 }, ticks: { stroke: colour('--line'), width: 1, size: 4 }, font: '11px system-ui, sans-serif' };
    const made = new uPlot({
      ...size(),
      padding: [7, 10, 0, 0],
      legend: { show: false },
      cursor: { drag: { x: true, y: false, setScale: false }, points: { size: 6 } },
      scales: { x: { time: false }, y: { distr: log ? 3 : 1 } },
      axes: [{ ...axis, size: 22, values: (_, steps) => steps.map((step) => (Number.isInteger(step) ? String(step) : '')) }, { ...axis, size: 50, space: 18, values: (_, values) => values.map((value) => (value === null ? '' : shortNumber(value, lang))) }],
      series: [{}, ...curves.map(({ kind }, index) => ({
        stroke: colour(lineColour(index)), width: kind === 'line' ? 1.4 : 1.6, spanGaps: kind === 'points', points: { show: (self: uPlot) => (kind === 'points' ? (shownCurves.current[index]?.steps.length ?? 0) < MANY : self.data[0].length < FEW), size: kind === 'points' ? 6 : 4 },
      }))],
      hooks: {
        draw: [(self) => drawMarks(self, shownMarks.current)],
        setSelect: [(self) => {
          if (self.select.width > 8) onZoom([self.posToVal(self.select.left, 'x'), self.posToVal(self.select.left + self.select.width, 'x')]);
          self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        }],
        setCursor: [(self) => setTip(tipAt(self))],
      },
    }, dataOf(curves, log), node);
    plot.current = made;
    onPlot(made);
    const observer = new ResizeObserver(() => made.setSize(size()));
    observer.observe(node);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
      onPlot(null);
    };
    // Data and zoom are brought in by the effect below.
  }, [shape, log, theme, lang]);

  useEffect(() => {
    const now = plot.current;
    if (!now) return;
    now.setData(dataOf(curves, log), zoom === null);
    if (zoom) now.setScale('x', { min: zoom[0], max: zoom[1] });
  }, [curves, zoom, marks, log, theme, lang]);

  function tipAt(self: uPlot): Tip | null {
    const { idx, left = -1 } = self.cursor;
    if (left < 0 || idx === null || idx === undefined) return null;
    const step = self.data[0][idx] ?? 0;
    const values = curves.flatMap(({ label }, index) => { const value = self.data[index + 1]?.[idx]; return value === null || value === undefined ? [] : [`${curves.length > 1 ? `${label} ` : ''}${shortNumber(value, lang)}`]; });
    const near = shownMarks.current.filter((mark) => Math.abs(self.valToPos(mark.step, 'x') - left) < 6).map((mark) => { const key = `mark_${mark.kind}`; return `${isKey(key) ? t(key) : mark.kind}: ${pick(mark.text)}`; });
    return { left, text: [t('stepNumber', { n: step }), ...values, ...near].join('\n') };
  }

  return (
    <figure className="plot" data-chart={name} data-marks={marks.length} data-points={curves[0]?.steps.length ?? 0}>
      <figcaption><strong>{title}</strong>{curves.length > 1 && curves.map(({ label }, index) => (
        <span key={label} style={{ color: `var(${lineColour(index)})` }}><span className="swatch" />{label}</span>))}{note}</figcaption>
      <div ref={place} className="plot" role="img" aria-label={`${title}: ${shortNumber(curves[0]?.values.at(-1), lang)}`} onDoubleClick={() => onZoom(null)} />
      {curves.every(({ steps }) => steps.length === 0) && <p className="center-note">{t('chartNoData')}</p>}
      {tip && <div className="tip floating" style={{ left: Math.min(tip.left + 62, (place.current?.clientWidth ?? 300) - 180), top: 18, whiteSpace: 'pre' }}>{tip.text}</div>}
    </figure>
  );
}

// Checkpoints come by themselves and often: they are dots without a line.
function drawMarks(self: uPlot, marks: readonly Mark[]): void {
  const { ctx, bbox } = self;
  const room = 4 * devicePixelRatio; // for the head of a mark at the very end
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left - room, bbox.top, bbox.width + 2 * room, bbox.height);
  ctx.clip();
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const { step, kind } of marks) {
    const x = Math.round(self.valToPos(step, 'x', true)) + 0.5;
    ctx.strokeStyle = colour(MARKS[kind] ?? '--text-soft');
    ctx.fillStyle = ctx.strokeStyle;
    if (kind !== 'checkpoint') {
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
    ctx.beginPath();
    ctx.arc(x, bbox.top + 4 * devicePixelRatio, (kind === 'checkpoint' ? 1.5 : 3) * devicePixelRatio, 0, 2 * Math.PI);
    ctx.fill();
  }
  ctx.restore();
}
