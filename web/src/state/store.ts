import { create } from 'zustand';
import type { Status } from '../wire/connection';
import type { Plan } from '../wire/plan';
import type { Message } from '../wire/events';
import type { Costs } from './costs';
import type { Described, Item, JournalEntry, Level, Snapshot, Training, View, Words } from '../wire/types';
import { loadPlace, loadTaste, type Badge, type Lang, type Theme } from './keep';

// Where one is in a view: the scope shown, what is opened in it, and what is selected.
export interface Place {
  root: string;
  expanded: string[];
  unfolded: string[];
  selected: string | null;
}

export interface Journal {
  entries: JournalEntry[];
  canUndo: boolean;
  canRedo: boolean;
}

export interface Alarm {
  training: number;
  step: number;
  view: View;
  path: string;
  op: string;
  what: Words;
  count: number;
}

// A button beside a notice: what can be done about it.
export interface Way {
  label: Words;
  message: Message;
}

export interface Notice {
  id: number;
  kind: 'error' | 'warning' | 'done';
  title: Words;
  text: Words;
  mend?: string;
  ways?: Way[];
}

export type Dialog = 'keys' | 'palette' | 'optimizer' | 'open' | 'reset' | null;
export type Tab = 'node' | 'training' | 'journal';

export interface Menu {
  path: string;
  x: number;
  y: number;
}

export interface LabState {
  status: Status;
  attempt: number;
  refused: boolean; // the Lab is there but does not take this page: it has another token now
  greeted: boolean;
  serverVersion: string;
  readOnly: boolean;
  clients: number;
  trainings: Record<number, Training>;
  current: number;
  view: View;
  places: Record<View, Place>;
  levels: Record<string, Level>;
  described: Record<string, Described>;
  plans: Record<number, Plan>;
  costs: Record<number, Costs>; // by training
  selectedValue: string | null;
  showPath: boolean;
  journals: Record<number, Journal>;
  snapshots: Record<number, Snapshot[]>;
  reasons: Record<number, string>; // why a training waits
  cones: Record<number, { loss: number | null; computed: number; kept: number }>;
  alarm: Alarm | null;
  notices: Notice[];
  lang: Lang;
  theme: Theme;
  badges: Record<Badge, boolean>;
  panels: { outline: boolean; inspector: boolean; charts: boolean; legend: boolean };
  tab: Tab;
  dialog: Dialog;
  menu: Menu | null;
}

const taste = loadTaste();
const place = loadPlace();

export const useLab = create<LabState>(() => ({
  status: 'connecting',
  attempt: 0,
  refused: false,
  greeted: false,
  serverVersion: '',
  readOnly: false,
  clients: 1,
  trainings: {},
  levels: {},
  described: {},
  plans: {},
  costs: {},
  selectedValue: null,
  showPath: false,
  journals: {},
  snapshots: {},
  reasons: {},
  cones: {},
  alarm: null,
  notices: [],
  tab: 'node',
  dialog: null,
  menu: null,
  ...taste,
  ...place,
}));

export const levelKey = (training: number, view: View, scope: string): string => `${training}|${view}|${scope}`;

// The level of a scope in the view and training that are shown.
export const levelOf = (state: LabState, scope: string): Level | undefined =>
  state.levels[levelKey(state.current, state.view, scope)];

// The item of a path, where its level is known. Its name may be another than the end of its path.
export const itemOf = (state: LabState, path: string): Item | undefined =>
  levelOf(state, path.slice(0, Math.max(0, path.lastIndexOf('/'))))?.items.find((item) => item.path === path);

// For people: a branch need not have a name of its own.
export const labelOf = ({ id, label }: Training): string => label || `#${id}`;

export const placeOf = (state: LabState): Place => state.places[state.view];

export const trainingOf = (state: LabState): Training | undefined => state.trainings[state.current];

export const describedOf = (state: LabState, path: string): Described | undefined =>
  state.described[levelKey(state.current, state.view, path)];
