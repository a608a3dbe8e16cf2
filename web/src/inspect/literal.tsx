import { useEffect, useState } from 'react';
import { setConstant } from '../change/edits';
import { canEncode, parseType } from '../wire/tensor';
import type { Literal } from '../wire/types';
import { typedNumber } from '../words/numbers';
import { useWords } from '../words/words';

const text = (value: number | boolean | null | undefined): string => (value === null || value === undefined ? '' : String(Number(value)));

function Scalar({ path, literal, disabled }: { path: string; literal: Literal; disabled: boolean }) {
  const { t } = useWords();
  const now = Number(literal.values[0] ?? 0);
  const [typed, setTyped] = useState(text(now));
  useEffect(() => setTyped(text(now)), [now]);
  const value = typedNumber(typed);
  const reach = Math.max(1, Math.abs(now) * 4);
  const send = (next: number) => void setConstant(path, literal.type, [next]);
  const sendTyped = () => { if (value !== null && value !== now) send(value); };
  const whole = /^[iu]/.test(parseType(literal.type).dtype);
  return (
    <div className="column">
      <input type="range" aria-label={t('literal')} min={now < 0 ? -reach : 0} max={reach} step={whole ? 1 : reach / 400} value={value ?? now} disabled={disabled}
        onChange={(event) => setTyped(event.target.value)} onPointerUp={sendTyped} onKeyUp={sendTyped} />
      <form className="row" onSubmit={(event) => { event.preventDefault(); if (value !== null) send(value); }}>
        <input className="field grow" aria-label={t('changeValue')} inputMode="decimal" value={typed} disabled={disabled} aria-invalid={value === null} onChange={(event) => setTyped(event.target.value)} />
        <button type="submit" className="button" disabled={disabled || value === null || value === now}>{t('set')}</button>
      </form>
    </div>
  );
}

function Table({ path, literal, disabled }: { path: string; literal: Literal; disabled: boolean }) {
  const { t } = useWords();
  const given = literal.values.map(text).join('\n');
  const [typed, setTyped] = useState(given.split('\n'));
  useEffect(() => setTyped(given.split('\n')), [given]);
  const values = typed.map(typedNumber);
  const good = values.every((value) => value !== null);
  const { shape } = parseType(literal.type);
  return (
    <form className="column" onSubmit={(event) => { event.preventDefault(); if (good) void setConstant(path, literal.type, values as number[]); }}>
      <div className="literal-table" role="group" aria-label={`${t('literal')} ${literal.type}`} style={shape.length === 2 && (shape[1] ?? 9) <= 4 ? { gridTemplateColumns: `repeat(${shape[1]}, 1fr)` } : undefined}>
        {typed.map((cell, index) => (
          <input key={index} className="field mono" aria-label={`[${index}]`} value={cell} disabled={disabled} aria-invalid={values[index] === null}
            onChange={(event) => setTyped(typed.map((each, at) => (at === index ? event.target.value : each)))} />
        ))}
      </div>
      <button type="submit" className="button" disabled={disabled || !good || typed.join('\n') === given}>{t('set')}</button>
    </form>
  );
}

// A slider for one number, a table for several. A literal that came only in part can be read, not changed.
export function LiteralEditor({ path, literal, disabled }: { path: string; literal: Literal; disabled: boolean }) {
  const { t } = useWords();
  if (literal.elided || literal.values.length > 400 || !canEncode(parseType(literal.type).dtype)) {
    return <><p className="mono">{literal.values.slice(0, 24).map((value) => text(value) || '—').join(', ')} …</p><p className="soft">{t('elided', { n: Math.min(24, literal.values.length) })}</p></>;
  }
  return literal.values.length === 1 ? <Scalar path={path} literal={literal} disabled={disabled} /> : <Table path={path} literal={literal} disabled={disabled} />;
}
