import { useState } from 'react';
import { reset } from '../change/edits';
import { command } from '../state/session';
import { trainingOf, useLab } from '../state/store';
import { useWords, type Key } from '../words/words';
import { COMMANDS } from './commands';
import { closeDialog, Dialog } from './dialog';
import { Palette } from './palette';

const GROUPS = ['keyGroupMove', 'keyGroupTrain', 'keyGroupEdit', 'keyGroupShow'] as const;
const MOVES: [string, Key][] = [['← ↑ → ↓', 'key_arrows'], ['Enter', 'key_enter'], ['Shift Enter', 'key_inside'], ['Esc', 'key_escape'], ['m', 'key_menu']];

function KeySheet() {
  const { t } = useWords();
  const version = useLab((state) => state.serverVersion);
  return (
    <Dialog title={t('keys')}>
      <div className="keys">
        {GROUPS.map((group) => (
          <section key={group}><h3>{t(group)}</h3><ul>
            {group === 'keyGroupMove' && MOVES.map(([keys, words]) => <li key={keys}><span>{t(words)}</span><kbd>{keys}</kbd></li>)}
            {COMMANDS.filter((each) => each.group === group && each.shown !== undefined).map((each) => <li key={each.id}><span>{each.words.map((word) => t(word)).join(' · ')}</span><kbd>{each.shown}</kbd></li>)}
          </ul></section>
        ))}
      </div>
      <p className="foot soft">ASG {version} · <a href="./NOTICE.txt" target="_blank" rel="noreferrer">{t('licences')}</a></p>
    </Dialog>
  );
}

function ResetDialog() {
  const { t } = useWords();
  const label = useLab((state) => trainingOf(state)?.label ?? '');
  return (
    <Dialog title={t('resetAll')}>
      <div className="form">
        <p>{t('resetAsk', { name: label })}</p>
        <div className="row">
          <button type="button" className="button" onClick={() => void command({ do: 'snapshot', label: '' })}>{t('takeSnapshot')}</button>
          <span className="grow" />
          <button type="button" className="button" onClick={closeDialog}>{t('cancel')}</button>
          <button type="button" className="button primary" onClick={() => { void reset([]); closeDialog(); }}>{t('resetAll')}</button>
        </div>
      </div>
    </Dialog>
  );
}

const SOURCES: [string, Key][] = [['zoo', 'openZoo'], ['json', 'openJson'], ['run', 'openRun']];
const EXAMPLES: Record<string, string> = { zoo: 'resnet18', json: 'model.json', run: 'runs/letters' };

function OpenDialog() {
  const { t } = useWords();
  const [kind, setKind] = useState('zoo');
  const [name, setName] = useState('');
  const [data, setData] = useState('digits');
  const send = () => {
    void command({ do: 'open', source: { [kind]: name }, ...(data !== '' ? { data } : {}) });
    closeDialog();
  };
  return (
    <Dialog title={t('open')}>
      <form className="form" onSubmit={(event) => { event.preventDefault(); if (name !== '') send(); }}>
        <label><span>{t('openKind')}</span><select className="field" value={kind} onChange={(event) => setKind(event.target.value)}>{SOURCES.map(([each, words]) => <option key={each} value={each}>{t(words)}</option>)}</select></label>
        <label><span>{t('openName')}</span><input className="field" placeholder={EXAMPLES[kind]} value={name} onChange={(event) => setName(event.target.value)} /></label>
        <label><span>{t('openData')}</span><input className="field" value={data} onChange={(event) => setData(event.target.value)} /></label>
        <button type="submit" className="button primary" disabled={name === ''}>{t('open')}</button>
      </form>
    </Dialog>
  );
}

export function Dialogs() {
  const dialog = useLab((state) => state.dialog);
  if (dialog === 'keys') return <KeySheet />;
  if (dialog === 'palette') return <Palette />;
  if (dialog === 'reset') return <ResetDialog />;
  if (dialog === 'open') return <OpenDialog />;
  return null;
}
