import { seriesOf } from '../charts/series';
import type { EventNamed, LabEvent } from '../wire/events';
import type { Snapshot, Training } from '../wire/types';
import { both, wordsOf } from '../words/words';
import { forgetNotices, notify, notifyError, waysOf } from './notices';
import { takeReadings } from './readings';
import { soon } from './soon';
import { levelKey, useLab, type LabState } from './store';

type Change = Partial<LabState> | null;

function withTraining(state: LabState, id: number, change: Partial<Training>): Change {
  const training = state.trainings[id];
  return training ? { trainings: { ...state.trainings, [id]: { ...training, ...change } } } : null;
}

// The loss after an edit says nothing about the next step.
function withoutCone(state: LabState, id: number): Change {
  if (!state.cones[id]) return null;
  const { [id]: _, ...cones } = state.cones;
  return { cones };
}

// What the Lab keeps is told with the training, so that those who come late can return to it too.
function snapshotsOf(trainings: readonly Training[]): Record<number, Snapshot[]> {
  return Object.fromEntries(trainings.flatMap((each) => (each.snapshots ? [[each.id, each.snapshots]] : [])));
}

// What an event changes in the store; null when nothing. Charts and readings are told beside it (`besides`).
export function changeBy(state: LabState, event: LabEvent): Change {
  switch (event.event) {
    case 'welcome': {
      const trainings = Object.fromEntries(event.trainings.map((training) => [training.id, training]));
      const current = trainings[state.current] ? state.current : (event.trainings[0]?.id ?? 1);
      return { trainings, current, snapshots: snapshotsOf(event.trainings), greeted: true, readOnly: event.read_only, serverVersion: event.version };
    }
    case 'clients':
      return { clients: event.count };
    case 'training':
      return { trainings: { ...state.trainings, [event.training]: event.state }, snapshots: { ...state.snapshots, ...snapshotsOf([event.state]) } };
    case 'step_done':
      return { ...withTraining(state, event.training, { step: event.step }), ...withoutCone(state, event.training), ...(event.committed && state.alarm?.training === event.training ? { alarm: null } : {}) };
    case 'paused':
      return { ...withTraining(state, event.training, { state: 'paused', step: event.step }), reasons: { ...state.reasons, [event.training]: event.reason } };
    case 'stopped':
      return withTraining(state, event.training, { state: 'stopped', step: event.step });
    case 'learning_rate_set':
      return withTraining(state, event.training, { learning_rate: event.rate });
    case 'level':
      return { levels: { ...state.levels, [levelKey(event.training, event.view, event.scope)]: event } };
    case 'described':
      return { described: { ...state.described, [levelKey(event.training, event.view, event.path)]: event } };
    case 'plan':
      return { plans: { ...state.plans, [event.training]: event } };
    case 'costs':
      return { costs: { ...state.costs, [event.training]: { version: event.version, parts: Object.fromEntries(event.parts.map((part) => [part.path, part])) } } };
    case 'journal': {
      const { entries, can_undo: canUndo, can_redo: canRedo } = event;
      return { journals: { ...state.journals, [event.training]: { entries, canUndo, canRedo } } };
    }
    case 'snapshot_taken': {
      const before = (state.snapshots[event.training] ?? []).filter(({ id }) => id !== event.id);
      const { id, label, step } = event;
      return { snapshots: { ...state.snapshots, [event.training]: [...before, { id, step, text: both(label) }] } };
    }
    case 'evaluated_cone': {
      const { loss, computed, kept } = event;
      return { cones: { ...state.cones, [event.training]: { loss, computed, kept } } };
    }
    case 'not_finite': {
      const { training, step, view, path, op, what, count } = event;
      return { alarm: { training, step, view, path, op, what: both(what), count } };
    }
    default:
      return null;
  }
}

function besides(event: LabEvent): void {
  switch (event.event) {
    case 'step_done':
      seriesOf(event.training).addStep(event);
      return;
    case 'evaluated': {
      seriesOf(event.training).addEvaluation(event);
      return;
    }
    case 'history':
      seriesOf(event.training).replace(event);
      return;
    case 'watched':
      takeReadings(event.training, event.step, event.values);
      return;
    case 'journal':
      seriesOf(event.training).markEdits(event.entries);
      return;
    case 'snapshot_taken':
      seriesOf(event.training).mark(event.step, 'snapshot', event.label);
      return;
    case 'checkpoint_saved':
      seriesOf(event.training).mark(event.step, 'checkpoint', event.path);
      if (event.ask !== undefined) notify('done', 'saved', event.path); // others are saved by the course itself
      return;
    case 'learning_rate_set':
      seriesOf(event.training).mark(stepOf(event.training), 'learning_rate', String(event.rate));
      return;
    case 'branched':
      seriesOf(event.training).mark(event.step, 'branch', event.label);
      return;
    case 'returned':
      seriesOf(event.training).cutAfter(event.step);
      return;
    case 'paused':
      if (event.reason === 'course_done') notify('done', 'reason_course_done', wordsOf('courseDone'));
      return;
    case 'not_finite':
      forgetNotices((text) => text.includes(both(event.what).en)); // the banner says it, and leads there
      return;
    case 'warned':
      notify('warning', 'warning', event.text);
      return;
    case 'failed':
      if (!QUIET.has(event.message)) notifyError(event.error, waysOf(event));
      return;
    case 'edit_applied':
      if (event.not_preserved !== undefined) notify('done', 'notPreserved', event.not_preserved);
      return;
    case 'edit_refused':
      event.problems.forEach((problem) => notifyError(problem));
      return;
    default:
  }
}

// Asked by the page itself for what it shows; after an edit or a stop that may be gone.
const QUIET = new Set(['level', 'describe', 'watch', 'subscribe', 'tensor', 'journal', 'costs']);

const stepOf = (training: number): number => useLab.getState().trainings[training]?.step ?? 0;

type StepDone = EventNamed<'step_done'>;
const steps = new Map<number, StepDone>();

// The last step of each training; one that changed something is not forgotten for a later one that did not.
const takeSteps = soon(() => {
  const taken = [...steps.values()];
  steps.clear();
  for (const event of taken) useLab.setState(changeBy(useLab.getState(), event) ?? {});
});

export function receive(event: LabEvent): void {
  if (event.event === 'step_done') {
    besides(event);
    steps.set(event.training, { ...event, committed: event.committed || (steps.get(event.training)?.committed ?? false) });
    takeSteps();
    return;
  }
  takeSteps.now(); // what happened before comes before
  const change = changeBy(useLab.getState(), event);
  if (change) useLab.setState(change);
  besides(event);
}
