import { bringIntoSight } from '../graph/canvas_state';
import type { View } from '../wire/types';
import { saveTaste, savePlace, type Badge, type Lang, type Theme } from './keep';
import { fetchDescribed, fetchLevel, locate, refresh } from './session';
import { watchAgain } from './watching';
import { describedOf, levelKey, placeOf, useLab, type LabState, type Place } from './store';

// Moves about in the graph. None of this is a change of the model, so none of it can be undone.

export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

// `a/b/c` gives `a`, `a/b`.
export function ancestorsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

export const isInside = (path: string, scope: string): boolean => scope === '' || path.startsWith(`${scope}/`);

function setPlace(change: Partial<Place>, more: Partial<LabState> = {}): void {
  const state = useLab.getState();
  useLab.setState({ ...more, places: { ...state.places, [state.view]: { ...placeOf(state), ...change } } });
}

export function select(path: string | null): void {
  setPlace({ selected: path }, { selectedValue: null, menu: null, ...(path !== null ? { tab: 'node' } : {}) });
  if (path !== null) void fetchDescribed(path);
}

export const selectValue = (value: string | null): void => useLab.setState({ selectedValue: value });

export function expand(path: string, open: boolean): void {
  const { expanded } = placeOf(useLab.getState());
  if (open) {
    setPlace({ expanded: [...expanded.filter((scope) => scope !== path), path] });
    void fetchLevel(path);
  } else {
    setPlace({ expanded: expanded.filter((scope) => scope !== path && !isInside(scope, path)) });
  }
}

export const toggle = (path: string): void => expand(path, !placeOf(useLab.getState()).expanded.includes(path));

export function unfold(first: string, open: boolean): void {
  const { unfolded } = placeOf(useLab.getState());
  setPlace({ unfolded: open ? [...unfolded, first] : unfolded.filter((each) => each !== first) });
}

export function enter(scope: string): void {
  setPlace({ root: scope });
  void fetchLevel(scope);
}

export function leave(): void {
  const { root, selected } = placeOf(useLab.getState());
  if (root !== '') {
    enter(parentOf(root));
    if (selected === null || !isInside(selected, parentOf(root))) select(root);
  }
}

// Opens all that hides a node, then selects it and brings it into sight. Folded repetitions on the way are unfolded.
export async function reveal(path: string): Promise<void> {
  const { root } = placeOf(useLab.getState());
  if (!isInside(path, root)) enter('');
  if (!describedOf(useLab.getState(), path)) await fetchDescribed(path);
  // Parts of a very large scope are not in the paths of what they hold.
  const around = describedOf(useLab.getState(), path)?.scopes ?? ancestorsOf(path);
  for (const scope of ['', ...around]) {
    const state = useLab.getState();
    if (!state.levels[levelKey(state.current, state.view, scope)]) await fetchLevel(scope);
  }
  const state = useLab.getState();
  const { expanded, unfolded, root: rootNow } = placeOf(state);
  const scopes = around.filter((scope) => isInside(scope, rootNow));
  const firsts = [...around, path].flatMap((each, index) => {
    const level = state.levels[levelKey(state.current, state.view, around[index - 1] ?? '')];
    const repeats = level?.items.find((item) => item.path === each)?.repeats;
    return repeats && repeats.index > 0 ? [repeats.of] : [];
  });
  setPlace({ expanded: [...new Set([...expanded, ...scopes])], unfolded: [...new Set([...unfolded, ...firsts])] });
  select(path);
  bringIntoSight(path);
}

// What computes the thing itself comes before its gradient and its update.
const bestOf = (paths: string[] = []): string | undefined => paths.find((path) => path.startsWith('forward/')) ?? paths[0];

// A part of a kernel may have no like in another view, but the node of the model it was made from has.
async function throughModel(origin: string | undefined, view: View): Promise<string | undefined> {
  return origin === undefined ? undefined : bestOf((await locate('model', origin))?.[view]);
}

// Another view of the same thing: what is selected is looked up there by its origin.
export async function switchView(view: View): Promise<void> {
  const state = useLab.getState();
  if (view === state.view) return;
  const { selected } = placeOf(state);
  const from = state.view;
  useLab.setState({ view, selectedValue: null, menu: null });
  refresh();
  if (selected === null) return;
  const places = await locate(from, selected);
  const target = bestOf(places?.[view]) ?? (await throughModel(places?.model[0], view));
  if (target === undefined || useLab.getState().view !== view) return;
  if (view === 'plan') select(target);
  else await reveal(target);
}

export function switchTraining(id: number): void {
  useLab.setState({ current: id, menu: null });
  refresh();
  watchAgain();
}

export const setLang = (lang: Lang): void => useLab.setState({ lang });
export const setTheme = (theme: Theme): void => useLab.setState({ theme });

export function setBadge(badge: Badge, shown: boolean): void {
  useLab.setState({ badges: { ...useLab.getState().badges, [badge]: shown } });
}

export function togglePanel(panel: keyof LabState['panels']): void {
  const { panels } = useLab.getState();
  useLab.setState({ panels: { ...panels, [panel]: !panels[panel] } });
}

// Keeps tastes and place in the browser whenever they change.
export function keepAll(): () => void {
  return useLab.subscribe((state, before) => {
    if (state.places !== before.places || state.view !== before.view || state.current !== before.current) savePlace(state);
    if (state.lang !== before.lang || state.theme !== before.theme || state.badges !== before.badges || state.panels !== before.panels) {
      saveTaste(state);
    }
  });
}
