import { useState } from 'react';
import { command } from '../state/session';
import { useLab } from '../state/store';
import { useWords } from '../words/words';

export function Snapshots({ disabled }: { disabled: boolean }) {
  const { t, pick } = useWords();
  const snapshots = useLab((state) => state.snapshots[state.current]);
  const [label, setLabel] = useState('');
  return (
    <>
      <h3 className="group-title">{t('snapshots')}</h3>
      <form className="row" onSubmit={(event) => { event.preventDefault(); void command({ do: 'snapshot', label }); setLabel(''); }}>
        <input className="field grow" aria-label={t('name')} placeholder={t('name')} value={label} disabled={disabled} onChange={(event) => setLabel(event.target.value)} />
        <button type="submit" className="button" disabled={disabled}>{t('takeSnapshot')}</button>
      </form>
      {!snapshots?.length && <p className="soft">{t('noSnapshots')}</p>}
      <ul>
        {snapshots?.map(({ id, text, step }) => (
          <li className="entry" key={id}><span>{pick(text) || `#${id}`} <span className="soft">{t('atStep', { n: step })}</span></span>
            <button type="button" className="button" disabled={disabled} onClick={() => void command({ do: 'return_to', id })}>{t('returnTo')}</button></li>
        ))}
      </ul>
    </>
  );
}
