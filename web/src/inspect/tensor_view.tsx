import { useEffect, useRef, useState } from 'react';
import { fetchTensor } from '../state/session';
import type { TensorFrame } from '../wire/tensor';
import type { Reading } from '../wire/types';
import { shortNumber } from '../words/numbers';
import { useWords } from '../words/words';
import { colours, drawnSize, photograph, pictureOf, rangeOf } from './heat';

const PAUSE = 1000;

// The tensor itself, fetched anew after each reading of it, and at most once in a second.
function useTensor(value: string, gradient: boolean, reading: Reading): TensorFrame | null {
  const [kept, setKept] = useState<{ frame: TensorFrame; gradient: boolean } | null>(null);
  const last = useRef(0);
  useEffect(() => setKept(null), [value, gradient]);
  useEffect(() => {
    const timer = setTimeout(() => {
      last.current = Date.now();
      void fetchTensor(value, gradient).then((found) => {
        if (found) setKept({ frame: found, gradient }); // an answer for another value is passed over below
      });
    }, Math.max(0, last.current + PAUSE - Date.now()));
    return () => clearTimeout(timer);
  }, [value, gradient, reading]);
  return kept && kept.frame.header.value === value && kept.gradient === gradient ? kept.frame : null;
}

interface Props {
  value: string;
  reading: Reading; // the last one
  isInput: boolean; // what comes from data is a photograph where it has rows and columns
}

export function TensorView({ value, reading, isInput }: Props) {
  const { t, lang } = useWords();
  const [wantsGradient, setWantsGradient] = useState(false);
  const hasGradient = reading.gradient !== undefined;
  const gradient = wantsGradient && hasGradient;
  const frame = useTensor(value, gradient, reading);
  const [slice, setSlice] = useState(0);
  const canvas = useRef<HTMLCanvasElement>(null);
  const picture = frame ? pictureOf(frame.header.shape, isInput && !gradient) : null;
  const size = picture ? picture.width * picture.height * picture.channels : 0;
  const shown = picture ? Math.min(picture.slices, Math.max(1, Math.floor((frame?.values.length ?? 0) / Math.max(1, size)))) : 0;
  const at = Math.min(slice, Math.max(0, shown - 1));
  const range = frame ? rangeOf(frame.values) : { low: 0, high: 0 };
  const asPhotograph = picture !== null && picture.height > 1 && isInput && !gradient;

  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!frame || !picture || !context || !canvas.current) return;
    const part = frame.values.slice(at * size, (at + 1) * size);
    const rows = Math.max(1, Math.ceil(part.length / picture.width / picture.channels));
    const whole = new Float32Array(rows * picture.width * picture.channels);
    whole.set(part);
    const bytes = asPhotograph ? photograph(whole, picture.channels, rangeOf(part)) : colours(whole, rangeOf(frame.values));
    canvas.current.width = picture.width;
    canvas.current.height = rows;
    context.putImageData(new ImageData(bytes, picture.width, rows), 0, 0);
  }, [frame, at, size, picture?.width, asPhotograph]);

  const choice = hasGradient && (
    <div className="segments small" role="group" aria-label={t('picture')}>
      {[false, true].map((each) => <button type="button" key={String(each)} aria-pressed={gradient === each} onClick={() => setWantsGradient(each)}>{each ? t('gradientOf') : t('valueOf')}</button>)}
    </div>
  );
  if (!frame || !picture) return wantsGradient ? <figure className="column">{choice}<p className="soft">{t('loading')}</p></figure> : null;
  if (frame.header.count < 2) return null;
  return (
    <figure className="column">
      {choice}
      <canvas ref={canvas} className="heat" style={drawnSize(picture)} role="img" aria-label={t(gradient ? 'heatmapGradient' : 'heatmap', { name: value })} />
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
