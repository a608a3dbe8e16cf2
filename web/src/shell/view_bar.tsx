import { useState } from 'react';
import { useCanvas } from '../graph/canvas_state';
import { Crumbs } from '../graph/crumbs';
import { setBadge, switchView, togglePanel } from '../state/place';
import { BADGES, type Badge } from '../state/keep';
import { useLab } from '../state/store';
import { VIEWS } from '../wire/types';
import { figuresOf } from '../state/costs';
import { useWords } from '../words/words';
import { Icon } from './icon';

function BadgeMenu() {
  const { t } = useWords();
  const badges = useLab((state) => state.badges);
  const [open, setOpen] = useState(false);
  const nodes = useCanvas((state) => state.scene?.nodes);
  const view = useLab((state) => state.view);
  const costs = useLab((state) => state.costs[state.current]);
  // Time is known once steps were measured, memory once they were planned.
  const lacks = (badge: Badge) => badges[badge] && (badge === 'time' || badge === 'memory') && !nodes?.some(({ item }) => item && figuresOf(item, view, costs)[badge === 'time' ? 'seconds' : 'bytes'] !== undefined);
  return (
    <div className="badge-menu" onBlur={(event) => { if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false); }} onKeyDown={(event) => { if (event.key === 'Escape' && open) { setOpen(false); event.stopPropagation(); } }}>
      <button type="button" className="button" aria-expanded={open} onClick={() => setOpen(!open)}><Icon name="badge" />{t('badges')}</button>
      {open && (
        <div className="floating" role="group" aria-label={t('badges')}>
          {BADGES.map((badge) => <label key={badge} className="row"><input type="checkbox" checked={badges[badge]} onChange={(event) => setBadge(badge, event.target.checked)} />{t(`badge_${badge}`)}{lacks(badge) && <span className="soft">{t('notMeasured')}</span>}</label>)}
        </div>
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
