import { useEffect, useRef, useState } from 'react';
import { fetchTensor } from '../state/session';
import { trainingOf, useLab } from '../state/store';
import type { TensorFrame } from '../wire/tensor';
import { shortNumber } from '../words/numbers';
import { useWords } from '../words/words';
import { colours, pictureOf, rangeOf } from './heat';

const PAUSE = 1000;

// The tensor itself, fetched while it is shown and at most once in a second.
function useTensor(value: string, gradient: boolean): TensorFrame | null {
  const step = useLab((state) => trainingOf(state)?.step ?? 0);
  const version = useLab((state) => trainingOf(state)?.version ?? 0);
  const edited = useLab((state) => state.cones[state.current]);
  const [frame, setFrame] = useState<TensorFrame | null>(null);
  const last = useRef(0);
  useEffect(() => setFrame(null), [value, gradient]);
  useEffect(() => {
    if (step === 0) return undefined;
    const timer = setTimeout(() => {
      last.current = Date.now();
      void fetchTensor(value, gradient).then((found) => {
        if (found) setFrame(found); // an answer for another value is passed over below
      });
    }, Math.max(0, last.current + PAUSE - Date.now()));
    return () => clearTimeout(timer);
  }, [value, gradient, step, version, edited]);
  return frame && frame.header.value === value ? frame : null;
}

export function TensorView({ value, gradient = false }: { value: string; gradient?: boolean }) {
  const { t, lang } = useWords();
  const frame = useTensor(value, gradient);
  const [slice, setSlice] = useState(0);
  const canvas = useRef<HTMLCanvasElement>(null);
  const picture = frame ? pictureOf(frame.header.shape) : null;
  const size = picture ? picture.width * picture.height : 0;
  const shown = picture ? Math.min(picture.slices, Math.max(1, Math.floor((frame?.values.length ?? 0) / Math.max(1, size)))) : 0;
  const at = Math.min(slice, Math.max(0, shown - 1));
  const range = frame ? rangeOf(frame.values) : { low: 0, high: 0 };

  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!frame || !picture || !context || !canvas.current) return;
    const part = frame.values.slice(at * size, (at + 1) * size);
    const rows = Math.max(1, Math.ceil(part.length / picture.width));
    const whole = new Float32Array(rows * picture.width);
    whole.set(part);
    canvas.current.width = picture.width;
    canvas.current.height = rows;
    context.putImageData(new ImageData(colours(whole, rangeOf(frame.values)), picture.width, rows), 0, 0);
  }, [frame, at, size, picture?.width]);

  if (!frame || !picture || frame.header.count < 2) return null;
  const tall = picture.height > 1 ? Math.min(220, Math.max(24, (300 * picture.height) / picture.width)) : 24;
  return (
    <figure className="column">
      <canvas ref={canvas} className="heat" style={{ height: tall }} role="img" aria-label={t('heatmap', { name: value })} />
      <div className="scale"><span>{shortNumber(range.low, lang)}</span><span>{frame.header.type}</span><span>{shortNumber(range.high, lang)}</span></div>
      {shown > 1 && (
        <label className="row"><span>{t('slice')}</span>
          <input className="grow" type="range" min={0} max={shown - 1} value={at} onChange={(event) => setSlice(Number(event.target.value))} />
          <span>{at + 1} {t('ofSlices', { n: shown })}</span></label>
      )}
      {frame.header.elided && <figcaption className="soft">{t('elided', { n: frame.values.length })}</figcaption>}
    </figure>
  );
}
