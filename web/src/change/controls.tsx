import { Icon } from '../shell/icon';
import { command } from '../state/session';
import { trainingOf, useLab } from '../state/store';
import { isKey, useWords } from '../words/words';
import { redo, undo } from './edits';

// Run, pause, step, stop; undo and redo.
export function Controls() {
  const { t } = useWords();
  const training = useLab(trainingOf);
  const disabled = useLab((state) => state.readOnly || state.status !== 'open' || !trainingOf(state));
  const journal = useLab((state) => state.journals[state.current]);
  const running = training?.state === 'running';
  const over = training?.state === 'stopped';
  const reason = useLab((state) => (trainingOf(state)?.state === 'paused' ? `reason_${state.reasons[state.current] ?? ''}` : ''));
  const end = training?.course?.steps ?? null;
  const at = training ? (end !== null && training.step <= end ? t('stepOf', { n: training.step, all: end }) : t('stepNumber', { n: training.step })) : '';
  return (
    <div className="row" role="toolbar" aria-label={t('training')}>
      <button type="button" className="button primary" disabled={disabled || over} aria-keyshortcuts="Space" onClick={() => void command({ do: running ? 'pause' : 'run' })}>
        <Icon name={running ? 'pause' : 'play'} />{running ? t('pause') : t('run')}</button>
      <button type="button" className="button" disabled={disabled || over} title={t('step')} onClick={() => void command({ do: 'step' })}><Icon name="step" />{t('step')}</button>
      <button type="button" className="button icon" disabled={disabled || over} title={t('stop')} aria-label={t('stop')} onClick={() => void command({ do: 'stop' })}><Icon name="stop" /></button>
      <span className={`state ${training?.state ?? ''}`} data-testid="state" data-step={training?.step ?? 0} title={isKey(reason) ? t(reason) : undefined}>{training ? `${t(training.state)} · ${at}` : ''}{isKey(reason) && <span className="reason soft"> · {t(reason).toLowerCase()}</span>}</span>
      <button type="button" className="button icon" disabled={disabled || !journal?.canUndo} title={t('undo')} aria-label={t('undo')} onClick={() => void undo()}><Icon name="undo" /></button>
      <button type="button" className="button icon" disabled={disabled || !journal?.canRedo} title={t('redo')} aria-label={t('redo')} onClick={() => void redo()}><Icon name="redo" /></button>
    </div>
  );
}
