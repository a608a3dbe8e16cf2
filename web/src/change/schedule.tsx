import { useEffect, useState } from 'react';
import { command } from '../state/session';
import { typedNumber } from '../words/numbers';
import { useWords, type Key } from '../words/words';

// The settings of each schedule that is offered, with what stands in the fields at first.
const KINDS: Record<string, Record<string, string>> = {
  constant: { warmup: '0' },
  cosine: { steps: '1000', warmup: '0', minimum: '0' },
  step: { period: '200', gamma: '0.1', warmup: '0' },
  exponential: { gamma: '0.999', warmup: '0' },
  one_cycle: { steps: '1000' },
};

// The kind that the course has now, where it is one of those.
export const kindOf = (now: string): string => { const kind = /^\w+/.exec(now)?.[0] ?? ''; return kind in KINDS ? kind : 'constant'; };

export function ScheduleForm({ now, disabled }: { now: string; disabled: boolean }) {
  const { t } = useWords();
  const [kind, setKind] = useState(() => kindOf(now));
  useEffect(() => setKind(kindOf(now)), [now]);
  const [typed, setTyped] = useState<Record<string, string>>({});
  const fields = Object.entries(KINDS[kind] ?? {}).map(([name, usual]) => ({ name, text: typed[name] ?? usual }));
  const good = fields.every(({ text }) => typedNumber(text) !== null);
  const send = () => {
    const settings = Object.fromEntries(fields.map(({ name, text }) => [name, typedNumber(text)]));
    void command({ do: 'set_schedule', schedule: { kind, ...settings } });
  };
  return (
    <form onSubmit={(event) => { event.preventDefault(); if (good) send(); }}>
      <h3 className="group-title">{t('schedule')}</h3>
      <p className="soft">{t('scheduleNow', { text: now === '' ? t('scheduleNone') : now })}</p>
      <div className="form">
        <select className="field" aria-label={t('schedule')} value={kind} disabled={disabled} onChange={(event) => setKind(event.target.value)}>
          {Object.keys(KINDS).map((each) => <option key={each} value={each}>{t(`schedule_${each}` as Key)}</option>)}
        </select>
        {fields.map(({ name, text }) => (
          <label key={name}><span>{t(name as Key)}</span>
            <input className="field short" value={text} disabled={disabled} aria-invalid={typedNumber(text) === null} onChange={(event) => setTyped({ ...typed, [name]: event.target.value })} /></label>
        ))}
        <button type="submit" className="button" disabled={disabled || !good}>{t('set')}</button>
      </div>
    </form>
  );
}
