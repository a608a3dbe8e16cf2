import { VIEWS, type View } from '../wire/types';
import type { LabState, Place } from './store';

export const BADGES = ['shape', 'dtype', 'parameters', 'time', 'memory'] as const;
export type Badge = (typeof BADGES)[number];
export type Lang = 'en' | 'ru';
export type Theme = 'light' | 'dark' | 'auto';

const TASTE = 'asg-lab-taste';
const PLACE = 'asg-lab-place';

type Taste = Pick<LabState, 'lang' | 'theme' | 'badges' | 'panels'>;
type Kept = Pick<LabState, 'current' | 'view' | 'places'>;

function read<T>(storage: Storage, key: string): Partial<T> {
  try {
    const value: unknown = JSON.parse(storage.getItem(key) ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Partial<T>) : {};
  } catch {
    return {};
  }
}

function write(storage: Storage, key: string, value: unknown): void {
  try {
    storage.setItem(key, JSON.stringify(value));
  } catch {
    // A full or forbidden storage only means that the next visit begins afresh.
  }
}

// Language, theme and badges last over visits.
export function loadTaste(): Taste {
  const kept = read<Taste>(localStorage, TASTE);
  return {
    lang: kept.lang ?? (navigator.language.startsWith('ru') ? 'ru' : 'en'),
    theme: kept.theme ?? 'auto',
    badges: { shape: true, dtype: false, parameters: false, time: false, memory: false, ...kept.badges },
    panels: { outline: true, inspector: true, charts: true, legend: false, ...kept.panels },
  };
}

export const hasOwnLang = (): boolean => read<Taste>(localStorage, TASTE).lang !== undefined;

// Where one is lasts over reloads of this tab.
export function loadPlace(): Kept {
  const kept = read<Kept>(sessionStorage, PLACE);
  const places = {} as Record<View, Place>;
  for (const view of VIEWS) {
    places[view] = { root: '', expanded: [], unfolded: [], selected: null, ...kept.places?.[view] };
  }
  const view = kept.view !== undefined && VIEWS.includes(kept.view) ? kept.view : 'model';
  return { current: kept.current ?? 1, view, places };
}

export function saveTaste({ lang, theme, badges, panels }: Taste): void {
  write(localStorage, TASTE, { lang, theme, badges, panels });
}

export function savePlace({ current, view, places }: Kept): void {
  write(sessionStorage, PLACE, { current, view, places });
}
