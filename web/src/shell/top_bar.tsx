import { useShallow } from 'zustand/react/shallow';
import { Controls } from '../change/controls';
import { setLang, setTheme, switchTraining, togglePanel } from '../state/place';
import { labelOf, useLab } from '../state/store';
import type { Theme } from '../state/keep';
import { useWords } from '../words/words';
import { Icon, type IconName } from './icon';
import { Search } from './search';

const PANELS: ['outline' | 'charts' | 'inspector', IconName][] = [['outline', 'outline'], ['charts', 'chart'], ['inspector', 'panel']];
const NEXT: Record<Theme, Theme> = { auto: 'light', light: 'dark', dark: 'auto' };

function Trainings() {
  const { t } = useWords();
  const trainings = useLab((state) => state.trainings);
  const current = useLab((state) => state.current);
  return (
    <select className="field" aria-label={t('training')} value={current} onChange={(event) => switchTraining(Number(event.target.value))}>
      {Object.values(trainings).map((each) => <option key={each.id} value={each.id}>{labelOf(each)}</option>)}
    </select>
  );
}

export function TopBar() {
  const { t, lang } = useWords();
  const { readOnly, clients, panels, theme } = useLab(useShallow((state) => ({ readOnly: state.readOnly, clients: state.clients, panels: state.panels, theme: state.theme })));
  return (
    <header className="bar">
      <h1>ASG <span className="soft">{t('lab')}</span></h1>
      <Trainings />
      <Controls />
      {readOnly && <span className="chip warn" title={t('readOnlyWhy')} data-testid="read-only">{t('readOnly')}</span>}
      {clients > 1 && <span className="chip" title={t('clients', { n: clients })} data-testid="clients">⚇ {clients}</span>}
      <span className="grow" />
      <Search />
      <div className="row">
        {PANELS.map(([panel, icon]) => (
          <button type="button" key={panel} className="button icon" aria-pressed={panels[panel]} title={t(panel)} aria-label={t(panel)} onClick={() => togglePanel(panel)}><Icon name={icon} /></button>
        ))}
        <button type="button" className="button icon" title={`${t('theme')}: ${t(`theme_${theme}`)}`} aria-label={`${t('theme')}: ${t(`theme_${theme}`)}`} onClick={() => setTheme(NEXT[theme])}><Icon name="sun" /></button>
        <div className="segments" role="group" aria-label={t('language')}>
          {(['en', 'ru'] as const).map((each) => <button type="button" key={each} lang={each} aria-pressed={lang === each} onClick={() => setLang(each)}>{each.toUpperCase()}</button>)}
        </div>
        <button type="button" className="button icon" title={t('keys')} aria-label={t('keys')} onClick={() => useLab.setState({ dialog: 'keys' })}><Icon name="help" /></button>
      </div>
    </header>
  );
}
