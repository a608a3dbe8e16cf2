import type { KeyboardEvent } from 'react';
import { JournalPanel } from '../change/journal';
import { NodePanel } from '../inspect/node_panel';
import { useLab, type Tab } from '../state/store';
import { useWords } from '../words/words';
import { later } from './later';

const TrainingPanel = later(() => import('../change/training_panel').then((part) => part.TrainingPanel));
const TABS: Tab[] = ['node', 'training', 'journal'];

export function Side() {
  const { t } = useWords();
  const tab = useLab((state) => state.tab);
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length];
    if (step === 0 || !next) return;
    useLab.setState({ tab: next });
    document.getElementById(`tab-${next}`)?.focus();
    event.preventDefault();
  };
  return (
    <aside className="side" aria-label={t('inspector')}>
      <div className="segments" role="tablist" aria-label={t('inspector')} onKeyDown={onKey}>
        {TABS.map((each) => (
          <button type="button" role="tab" key={each} id={`tab-${each}`} aria-selected={tab === each} aria-controls="side-panel" tabIndex={tab === each ? 0 : -1} onClick={() => useLab.setState({ tab: each })}>{t(each)}</button>
        ))}
      </div>
      <div role="tabpanel" id="side-panel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
        {tab === 'node' ? <NodePanel /> : tab === 'training' ? <TrainingPanel /> : <JournalPanel />}
      </div>
    </aside>
  );
}
