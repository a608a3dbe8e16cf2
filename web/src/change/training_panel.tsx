import { useEffect, useState } from 'react';
import { command } from '../state/session';
import { labelOf, trainingOf, useLab } from '../state/store';
import type { Training } from '../wire/types';
import { shortNumber, typedNumber } from '../words/numbers';
import { useWords } from '../words/words';
import { branch } from './edits';
import { ScheduleForm } from './schedule';
import { Snapshots } from './snapshots';

function NumberSetting({ name, value, disabled, onSet }: { name: string; value: number; disabled: boolean; onSet(value: number): void }) {
  const { t } = useWords();
  const [typed, setTyped] = useState(String(value));
  useEffect(() => setTyped(String(value)), [value]);
  const next = typedNumber(typed);
  return (
    <form className="row" onSubmit={(event) => { event.preventDefault(); if (next !== null) onSet(next); }}>
      <span className="grow">{name}</span>
      <input className="field short" aria-label={name} value={typed} disabled={disabled} aria-invalid={next === null} onChange={(event) => setTyped(event.target.value)} />
      <button type="submit" className="button" disabled={disabled || next === null || next === value}>{t('set')}</button>
    </form>
  );
}

function Optimizer({ training, disabled }: { training: Training; disabled: boolean }) {
  const { t } = useWords();
  const set = (name: string, value: number | boolean) => void command({ do: 'set_optimizer', settings: { [name]: value } });
  return (
    <>
      <h3 className="group-title">{t('optimizer')}: {training.optimizer.name}</h3>
      <div className="column">
        {Object.entries(training.optimizer.settings).filter(([name]) => name !== 'learning_rate').map(([name, value]) => typeof value === 'number'
          ? <NumberSetting key={name} name={name} value={value} disabled={disabled} onSet={(next) => set(name, next)} />
          : typeof value === 'boolean'
            ? <label className="row" key={name}><span className="grow">{name}</span><input type="checkbox" checked={value} disabled={disabled} onChange={(event) => set(name, event.target.checked)} /></label>
            : <p className="row" key={name}><span className="grow">{name}</span><code>{value}</code></p>)}
      </div>
    </>
  );
}

// What governs the training as a whole.
export function TrainingPanel() {
  const { t, lang } = useWords();
  const training = useLab(trainingOf);
  const parent = useLab((state) => state.trainings[trainingOf(state)?.parent?.training ?? 0]);
  const disabled = useLab((state) => state.readOnly || state.status !== 'open' || trainingOf(state)?.state === 'stopped');
  const cone = useLab((state) => state.cones[state.current]);
  if (!training) return <p className="soft">{t('loading')}</p>;
  return (
    <div data-testid="training-panel">
      {training.parent && <p className="soft">{t('branchOf', { name: parent ? labelOf(parent) : training.parent.training, n: training.parent.step })}</p>}
      {cone && <p className="fresh">{t('newLoss', { loss: shortNumber(cone.loss, lang), computed: cone.computed, kept: cone.kept })}</p>}
      <NumberSetting name={t('learningRate')} value={training.learning_rate} disabled={disabled} onSet={(rate) => void command({ do: 'set_learning_rate', rate })} />
      <ScheduleForm now={training.schedule} disabled={disabled} />
      <Optimizer training={training} disabled={disabled} />
      <h3 className="group-title">{t('evaluate')}</h3>
      <div className="row">
        {training.datasets.map((dataset) => <button type="button" className="button" key={dataset} disabled={disabled} onClick={() => void command({ do: 'evaluate', dataset })}>{dataset}</button>)}
      </div>
      <Snapshots disabled={disabled} />
      <h3 className="group-title">{t('checkpoints')}</h3>
      <div className="row">
        <button type="button" className="button" disabled={disabled || !training.can_save} onClick={() => void command({ do: 'save' })}>{t('save')}</button>
        <button type="button" className="button" disabled={disabled || !training.can_save} onClick={() => void command({ do: 'load' })}>{t('load')}</button>
        <button type="button" className="button" disabled={disabled || !training.can_save} onClick={() => void command({ do: 'load', which: 'best' })}>{t('loadBest')}</button>
      </div>
      {!training.can_save && <p className="soft">{t('noFolder')}</p>}
      <h3 className="group-title">{t('more')}</h3>
      <div className="row">
        <button type="button" className="button" disabled={disabled} onClick={() => void branch()}>{t('branch')}</button>
        <button type="button" className="button" disabled={disabled} onClick={() => useLab.setState({ dialog: 'reset' })}>{t('resetAll')}…</button>
        <button type="button" className="button" disabled={disabled} onClick={() => useLab.setState({ dialog: 'open' })}>{t('open')}…</button>
      </div>
      <p className="soft">{t('branchHint')}</p>
    </div>
  );
}
