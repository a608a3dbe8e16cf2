import { branch, redo, undo } from '../change/edits';
import { bringIntoSight, fitAll } from '../graph/canvas_state';
import { setLang, setTheme, switchView, togglePanel } from '../state/place';
import { command } from '../state/session';
import { placeOf, trainingOf, useLab, type LabState, type Tab } from '../state/store';
import { VIEWS } from '../wire/types';
import type { Key } from '../words/words';

export interface Command {
  id: string;
  words: Key[];
  keys?: string; // as tinykeys wants them
  shown?: string; // as people read them
  group: 'keyGroupMove' | 'keyGroupTrain' | 'keyGroupEdit' | 'keyGroupShow';
  changes?: boolean; // refused where one may only look
  ready?(state: LabState): boolean;
  run(): void;
}

const canSave = (state: LabState): boolean => trainingOf(state)?.can_save ?? false;
const runOrPause = () => void command({ do: trainingOf(useLab.getState())?.state === 'running' ? 'pause' : 'run' });

const TABS: [Tab, string][] = [['node', 'n'], ['training', 't'], ['journal', 'j']];

function openTab(tab: Tab): void {
  const { panels } = useLab.getState();
  useLab.setState({ tab, panels: { ...panels, inspector: true } });
  requestAnimationFrame(() => document.getElementById(`tab-${tab}`)?.focus());
}

// The outline, with the focus in it, so that arrows move there at once.
function toOutline(): void {
  togglePanel('outline');
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.tree [tabindex="0"]')?.focus());
}

// Everything that can be done without pointing at something: for the palette, the keys and the list of keys.
export const COMMANDS: Command[] = [
  { id: 'run', words: ['run', 'pause'], keys: 'Space', shown: 'Space', group: 'keyGroupTrain', changes: true, run: runOrPause },
  { id: 'step', words: ['step'], keys: 's', shown: 's', group: 'keyGroupTrain', changes: true, run: () => void command({ do: 'step' }) },
  { id: 'stop', words: ['stop'], group: 'keyGroupTrain', changes: true, run: () => void command({ do: 'stop' }) },
  { id: 'evaluate', words: ['evaluate'], keys: 'e', shown: 'e', group: 'keyGroupTrain', changes: true, run: () => void command({ do: 'evaluate' }) },
  { id: 'undo', words: ['undo'], keys: '$mod+z', shown: 'Ctrl Z', group: 'keyGroupEdit', changes: true, ready: (state) => state.journals[state.current]?.canUndo ?? false, run: () => void undo() },
  { id: 'redo', words: ['redo'], keys: '$mod+Shift+z', shown: 'Ctrl Shift Z', group: 'keyGroupEdit', changes: true, ready: (state) => state.journals[state.current]?.canRedo ?? false, run: () => void redo() },
  { id: 'snapshot', words: ['takeSnapshot'], group: 'keyGroupEdit', changes: true, run: () => void command({ do: 'snapshot', label: '' }) },
  { id: 'branch', words: ['branch'], group: 'keyGroupEdit', changes: true, run: () => void branch() },
  { id: 'save', words: ['save'], keys: '$mod+s', shown: 'Ctrl S', group: 'keyGroupEdit', changes: true, ready: canSave, run: () => void command({ do: 'save' }) },
  { id: 'load', words: ['load'], group: 'keyGroupEdit', changes: true, ready: canSave, run: () => void command({ do: 'load' }) },
  { id: 'reset', words: ['resetAll'], group: 'keyGroupEdit', changes: true, run: () => useLab.setState({ dialog: 'reset' }) },
  { id: 'open', words: ['open'], group: 'keyGroupEdit', changes: true, run: () => useLab.setState({ dialog: 'open' }) },
  ...VIEWS.map((view, index): Command => ({ id: `view_${view}`, words: ['view', `view_${view}`], keys: String(index + 1), shown: String(index + 1), group: 'keyGroupShow', run: () => void switchView(view) })),
  { id: 'fit', words: ['fit'], keys: 'f', shown: 'f', group: 'keyGroupMove', run: fitAll },
  { id: 'center', words: ['center'], keys: 'c', shown: 'c', group: 'keyGroupMove', ready: (state) => placeOf(state).selected !== null, run: () => { const { selected } = placeOf(useLab.getState()); if (selected !== null) bringIntoSight(selected); } },
  { id: 'path', words: ['showPath'], keys: 'p', shown: 'p', group: 'keyGroupShow', ready: (state) => placeOf(state).selected !== null, run: () => useLab.setState({ showPath: !useLab.getState().showPath }) },
  { id: 'search', words: ['searchShort'], keys: '/', shown: '/', group: 'keyGroupMove', run: () => document.getElementById('search')?.focus() },
  { id: 'outline', words: ['outline'], keys: 'o', shown: 'o', group: 'keyGroupShow', run: toOutline },
  { id: 'inspector', words: ['inspector'], keys: 'i', shown: 'i', group: 'keyGroupShow', run: () => togglePanel('inspector') },
  { id: 'charts', words: ['charts'], keys: 'g', shown: 'g', group: 'keyGroupShow', run: () => togglePanel('charts') },
  { id: 'legend', words: ['legend'], keys: 'l', shown: 'l', group: 'keyGroupShow', run: () => togglePanel('legend') },
  ...TABS.map(([tab, key]): Command => ({ id: `tab_${tab}`, words: ['inspector', tab], keys: key, shown: key, group: 'keyGroupShow', run: () => openTab(tab) })),
  { id: 'lang', words: ['language'], group: 'keyGroupShow', run: () => setLang(useLab.getState().lang === 'en' ? 'ru' : 'en') },
  { id: 'dark', words: ['theme', 'theme_dark'], group: 'keyGroupShow', run: () => setTheme('dark') },
  { id: 'light', words: ['theme', 'theme_light'], group: 'keyGroupShow', run: () => setTheme('light') },
  { id: 'palette', words: ['palette'], keys: '$mod+k', shown: 'Ctrl K', group: 'keyGroupMove', run: () => useLab.setState({ dialog: 'palette' }) },
  { id: 'keys', words: ['keys'], keys: 'Shift+?', shown: '?', group: 'keyGroupMove', run: () => useLab.setState({ dialog: 'keys' }) },
];

export const isReady = (each: Command, state: LabState): boolean => !(each.changes && (state.readOnly || state.status !== 'open')) && (each.ready?.(state) ?? true);
