import { useEffect, useRef, useState, type MouseEvent } from 'react';
import { useShownTheme } from '../shell/theme';
import { select } from '../state/place';
import { fetchPlan } from '../state/session';
import { useLab } from '../state/store';
import type { Plan, PlanBuffer } from '../wire/plan';
import { bytesText, secondsText, shortNumber } from '../words/numbers';
import { useWords } from '../words/words';
import { bufferAt, partOf, PARTS, rectangleOf, stepAt, type Frame, type Part } from './picture';

const frameOf = (canvas: HTMLCanvasElement): Frame => ({ left: 4, top: 4, width: canvas.clientWidth - 8, height: canvas.clientHeight - 8 });
const COLOURS: Record<Part, string> = { forward: '--c-forward', gradient: '--c-gradient', update: '--c-update', rest: '--c-other' };
const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function draw(canvas: HTMLCanvasElement, plan: Plan, lit: string | null, step: number | null): void {
  const scale = window.devicePixelRatio;
  canvas.width = canvas.clientWidth * scale;
  canvas.height = canvas.clientHeight * scale;
  const context = canvas.getContext('2d');
  if (!context) return;
  context.scale(scale, scale);
  const frame = frameOf(canvas);
  const fills = Object.fromEntries(PARTS.map((part) => [part, colour(COLOURS[part])])) as Record<Part, string>;
  const line = colour('--surface');
  const text = colour('--text');
  for (const buffer of plan.buffers) {
    const { x, y, width, height } = rectangleOf(plan, buffer, frame);
    context.globalAlpha = lit === null ? 0.6 : lit === buffer.path ? 0.95 : 0.3;
    context.fillStyle = fills[partOf(buffer.path)];
    context.fillRect(x, y, width, height);
    context.globalAlpha = 1;
    context.strokeStyle = lit === buffer.path ? text : line;
    context.lineWidth = lit === buffer.path ? 2 : 1;
    context.strokeRect(x, y, width, height);
  }
  // What is alive at each step, as a line: the gap above it is waste.
  context.strokeStyle = text;
  context.lineWidth = 1.2;
  context.beginPath();
  plan.alive.forEach((bytes, index) => {
    const x = frame.left + (index / plan.steps.length) * frame.width;
    const y = frame.top + frame.height * (1 - bytes / Math.max(1, plan.arena));
    if (index === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
    context.lineTo(x + frame.width / plan.steps.length, y);
  });
  context.stroke();
  if (step === null) return;
  context.globalAlpha = 0.2;
  context.fillStyle = text;
  context.fillRect(frame.left + (step / plan.steps.length) * frame.width, frame.top, Math.max(1, frame.width / plan.steps.length), frame.height);
}

function Figures({ plan }: { plan: Plan }) {
  const { t, lang } = useWords();
  const figures: [string, string][] = [
    [t('planArena'), bytesText(plan.arena, lang)], [t('planBound'), bytesText(plan.lower_bound, lang)], [t('planWaste'), `${shortNumber((plan.waste ?? 0) * 100, lang)} %`],
    [t('planVariables'), bytesText(plan.variables, lang)], [t('planScratch'), bytesText(plan.scratch, lang)], [t('planSteps'), String(plan.steps.length)],
  ];
  const parts = PARTS.filter((part) => plan.buffers.some(({ path }) => partOf(path) === part));
  return (
    <div className="figures">
      <dl>{figures.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>
      <ul aria-label={t('legend')}>{parts.map((part) => <li key={part}><span className="dot" style={{ background: `var(${COLOURS[part]})` }} />{t(`part_${part}`)}</li>)}<li><span className="alive" />{t('planAlive')}</li></ul>
    </div>
  );
}

function Picture({ plan }: { plan: Plan }) {
  const { t, lang } = useWords();
  const theme = useShownTheme();
  const canvas = useRef<HTMLCanvasElement>(null);
  const selected = useLab((state) => state.places.plan.selected);
  const [hover, setHover] = useState<{ buffer: PlanBuffer | null; step: number | null }>({ buffer: null, step: null });
  const lit = hover.buffer?.path ?? selected;
  useEffect(() => {
    const node = canvas.current;
    if (!node) return undefined;
    const paint = () => draw(node, plan, lit, hover.step);
    paint();
    const observer = new ResizeObserver(paint);
    observer.observe(node);
    return () => observer.disconnect();
  }, [plan, lit, hover.step, theme]);
  const find = (event: MouseEvent<HTMLCanvasElement>) => {
    const node = event.currentTarget;
    const { offsetX, offsetY } = event.nativeEvent;
    return { buffer: bufferAt(plan, frameOf(node), offsetX, offsetY), step: stepAt(plan, frameOf(node), offsetX) };
  };
  const step = hover.step === null ? undefined : plan.steps[hover.step];
  return (
    <>
      <div className="picture">
        <canvas ref={canvas} role="img" aria-label={t('planPicture')} onMouseMove={(event) => setHover(find(event))} onMouseLeave={() => setHover({ buffer: null, step: null })}
          onClick={(event) => { const { buffer } = find(event); if (buffer) select(buffer.path); }} />
      </div>
      <p className="readout" data-testid="plan-readout">
        {step && hover.step !== null ? <><strong>{hover.step + 1}. {step.title}</strong> {step.seconds !== undefined && <span className="soft">{secondsText(step.seconds, lang)} · </span>}
          <span className="soft">{t('planAlive')}: {bytesText(plan.alive[hover.step] ?? 0, lang)}</span>{hover.buffer && <> · {t('planBuffer', { name: hover.buffer.name, size: bytesText(hover.buffer.size, lang), first: hover.buffer.first + 1, last: hover.buffer.last + 1 })}</>}</>
          : <span className="soft">{t('planPicture')}</span>}
      </p>
    </>
  );
}

// The plan of one training step as a picture.
export function PlanView() {
  const { t } = useWords();
  const plan = useLab((state) => state.plans[state.current]);
  useEffect(() => {
    if (!plan) void fetchPlan();
  }, [plan]);
  if (!plan) return <p className="center-note">{t('loading')}</p>;
  return <div className="plan"><Figures plan={plan} /><Picture plan={plan} /></div>;
}
