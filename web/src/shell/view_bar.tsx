import { useState } from 'react';
import { Crumbs } from '../graph/crumbs';
import { setBadge, switchView, togglePanel } from '../state/place';
import { BADGES } from '../state/keep';
import { useLab } from '../state/store';
import { VIEWS } from '../wire/types';
import { useWords } from '../words/words';
import { Icon } from './icon';

function BadgeMenu() {
  const { t } = useWords();
  const badges = useLab((state) => state.badges);
  const [open, setOpen] = useState(false);
  return (
    <div className="badge-menu" onBlur={(event) => { if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false); }} onKeyDown={(event) => { if (event.key === 'Escape' && open) { setOpen(false); event.stopPropagation(); } }}>
      <button type="button" className="button" aria-expanded={open} onClick={() => setOpen(!open)}><Icon name="badge" />{t('badges')}</button>
      {open && (
        <fieldset className="floating">
          <legend className="hidden">{t('badges')}</legend>
          {BADGES.map((badge) => <label key={badge} className="row"><input type="checkbox" checked={badges[badge]} onChange={(event) => setBadge(badge, event.target.checked)} />{t(`badge_${badge}`)}</label>)}
        </fieldset>
      )}
    </div>
  );
}

// Which of the five views is shown, where one is in it, and what is written on the nodes.
export function ViewBar() {
  const { t } = useWords();
  const view = useLab((state) => state.view);
  const legend = useLab((state) => state.panels.legend);
  return (
    <Crumbs>
      <div className="segments" role="group" aria-label={t('view')}>
        {VIEWS.map((each) => <button type="button" key={each} aria-pressed={view === each} title={t(`hint_${each}`)} data-view={each} onClick={() => void switchView(each)}>{t(`view_${each}`)}</button>)}
      </div>
      <BadgeMenu />
      <button type="button" className="button icon" aria-pressed={legend} title={t('legend')} aria-label={t('legend')} onClick={() => togglePanel('legend')}><Icon name="legend" /></button>
    </Crumbs>
  );
}
