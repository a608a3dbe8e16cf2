import { command } from '../state/session';
import { useLab } from '../state/store';
import { useWords } from '../words/words';
import { redo, undo } from './edits';

// Every edit, the newest first. A reset cannot be inverted, but what was before it is kept.
export function JournalPanel() {
  const { t, pick } = useWords();
  const journal = useLab((state) => state.journals[state.current]);
  const disabled = useLab((state) => state.readOnly || state.status !== 'open');
  return (
    <div data-testid="journal">
      <div className="row">
        <button type="button" className="button" disabled={disabled || !journal?.canUndo} onClick={() => void undo()}>{t('undo')}</button>
        <button type="button" className="button" disabled={disabled || !journal?.canRedo} onClick={() => void redo()}>{t('redo')}</button>
      </div>
      {!journal?.entries.length && <p className="soft">{t('journalEmpty')}</p>}
      <ol>
        {[...(journal?.entries ?? [])].reverse().map(({ id, step, text, undone, snapshot }) => (
          <li className={`entry${undone ? ' undone' : ''}`} key={id}>
            <span>{pick(text)}{undone && <span className="hidden"> ({t('undone')})</span>}</span><span className="soft" title={t('atStep', { n: step ?? 0 })}>{step}</span>
            {snapshot !== undefined && <button type="button" className="button" disabled={disabled} onClick={() => void command({ do: 'return_to', id: snapshot })}>{t('returnTo')}</button>}
          </li>
        ))}
      </ol>
    </div>
  );
}
