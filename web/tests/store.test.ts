import { beforeEach, describe, expect, it } from 'vitest';
import { changeBy } from '../src/state/receive';
import { loadPlace } from '../src/state/keep';
import { ancestorsOf, enter, expand, isInside, leave, parentOf, select, unfold } from '../src/state/place';
import { itemOf, placeOf, useLab } from '../src/state/store';
import type { LabEvent } from '../src/wire/events';
import { item, level, training } from './helpers';

const first = useLab.getState();
beforeEach(() => useLab.setState(first, true));

const take = (event: LabEvent) => useLab.setState(changeBy(useLab.getState(), event) ?? {});

describe('events', () => {
  it('welcome brings trainings and keeps the current one where it still is', () => {
    useLab.setState({ current: 2 });
    take({ event: 'welcome', version: '0.4.0', lang: 'en', read_only: true, trainings: [training(), training({ id: 2 })] });
    expect(useLab.getState()).toMatchObject({ current: 2, readOnly: true, greeted: true });
    take({ event: 'welcome', version: '0.4.0', lang: 'en', read_only: false, trainings: [training({ id: 5 })] });
    expect(useLab.getState().current).toBe(5);
  });

  it('steps and pauses move the counters of their training only', () => {
    take({ event: 'welcome', version: '', lang: 'en', read_only: false, trainings: [training({ state: 'running' }), training({ id: 2 })] });
    take({ event: 'step_done', training: 1, step: 7, loss: 1, learning_rate: 1, committed: true, seconds: 1 });
    take({ event: 'paused', training: 1, step: 7, reason: 'asked' });
    expect(useLab.getState().trainings[1]).toMatchObject({ step: 7, state: 'paused' });
    expect(useLab.getState().trainings[2]?.step).toBe(0);
  });

  it('levels are kept by training, view and scope', () => {
    take({ event: 'level', ...level('a', [item('a/b')], []), training: 3, view: 'gradient' });
    expect(useLab.getState().levels['3|gradient|a']?.items).toHaveLength(1);
  });

  it('the journal says what can be undone', () => {
    take({ event: 'journal', training: 1, entries: [], can_undo: true, can_redo: false });
    expect(useLab.getState().journals[1]).toEqual({ entries: [], canUndo: true, canRedo: false });
  });

  it('numbers that are not finite raise the alarm', () => {
    take({ event: 'not_finite', training: 1, step: 77, view: 'model', path: 'a/log', op: 'Log', what: { en: 'NaN', ru: 'NaN' }, count: 12 });
    expect(useLab.getState().alarm).toMatchObject({ step: 77, path: 'a/log' });
  });

  it('a step that changed something ends the alarm and the loss after an edit, of its training only', () => {
    const done = { event: 'step_done' as const, step: 78, loss: null, learning_rate: 1, seconds: 1 };
    take({ event: 'not_finite', training: 1, step: 77, view: 'model', path: 'a/log', op: 'Log', what: { en: 'NaN', ru: 'NaN' }, count: 12 });
    take({ event: 'evaluated_cone', training: 2, step: 5, loss: 1, computed: 3, kept: 9 });
    take({ ...done, training: 1, committed: false });
    take({ ...done, training: 2, committed: true });
    expect(useLab.getState().alarm).not.toBeNull();
    expect(useLab.getState().cones).toEqual({});
    take({ ...done, training: 1, committed: true });
    expect(useLab.getState().alarm).toBeNull();
  });

  it('knows why a training waits', () => {
    take({ event: 'paused', training: 1, step: 7, reason: 'course_done' });
    expect(useLab.getState().reasons[1]).toBe('course_done');
  });

  it('a node is called by its name, not by the end of its path', () => {
    take({ event: 'level', ...level('', [item('Variable#4', { name: 'positions' })], []) });
    take({ event: 'level', ...level('block', [item('block/Add#7', { name: 'sum' })], []) });
    expect(itemOf(useLab.getState(), 'Variable#4')?.name).toBe('positions');
    expect(itemOf(useLab.getState(), 'block/Add#7')?.name).toBe('sum');
    expect(itemOf(useLab.getState(), 'elsewhere/Add#7')).toBeUndefined();
  });

  it('a snapshot is listed once', () => {
    take({ event: 'snapshot_taken', training: 1, id: 4, label: 'before', step: 3 });
    take({ event: 'snapshot_taken', training: 1, id: 4, label: 'before', step: 3 });
    expect(useLab.getState().snapshots[1]).toEqual([{ id: 4, step: 3, text: { en: 'before', ru: 'before' } }]);
  });

  it('who comes late is told of snapshots and of the length of the course', () => {
    const kept = { id: 3, step: 120, text: { en: 'before the edit', ru: 'перед правкой' } };
    const known = { ...training(), course: { steps: 440 }, snapshots: [kept] };
    take({ event: 'welcome', version: '0.4.0', read_only: false, lang: 'en', trainings: [known] });
    expect(useLab.getState().snapshots[1]).toEqual([kept]);
    expect(useLab.getState().trainings[1]?.course).toEqual({ steps: 440 });
    const later = { ...known, snapshots: [] };
    take({ event: 'training', training: 1, state: later });
    expect(useLab.getState().snapshots[1]).toEqual([]);
  });

  it('an alarm says what happened in both languages', () => {
    take({ event: 'not_finite', training: 1, step: 7, view: 'model', path: 'a', op: 'Log', what: { en: 'NaN in a', ru: 'NaN в a' }, count: 1 });
    expect(useLab.getState().alarm?.what).toEqual({ en: 'NaN in a', ru: 'NaN в a' });
  });

  it('an unknown event changes nothing', () => {
    expect(changeBy(useLab.getState(), { event: 'newer_than_this_page' } as unknown as LabEvent)).toBeNull();
  });
});

describe('places', () => {
  it('paths have parents and ancestors', () => {
    expect(parentOf('a/b/c')).toBe('a/b');
    expect(parentOf('a')).toBe('');
    expect(ancestorsOf('a/b/c')).toEqual(['a', 'a/b']);
    expect(isInside('ab/c', 'a')).toBe(false);
    expect(isInside('a/c', 'a')).toBe(true);
  });

  it('closing a scope closes what is open inside it', () => {
    ['a', 'a/b', 'ab'].forEach((path) => expand(path, true));
    expand('a', false);
    expect(placeOf(useLab.getState()).expanded).toEqual(['ab']);
  });

  it('leaving goes one scope up and selects where one was', () => {
    enter('a/b');
    leave();
    expect(placeOf(useLab.getState())).toMatchObject({ root: 'a', selected: 'a/b' });
    leave();
    leave();
    expect(placeOf(useLab.getState()).root).toBe('');
  });

  it('repetitions unfold and fold', () => {
    unfold('block_0', true);
    expect(placeOf(useLab.getState()).unfolded).toEqual(['block_0']);
    unfold('block_0', false);
    expect(placeOf(useLab.getState()).unfolded).toEqual([]);
  });

  it('a selection does not touch other views', () => {
    select('a');
    useLab.setState({ view: 'gradient' });
    expect(placeOf(useLab.getState()).selected).toBeNull();
  });

  it('what was kept by an older or broken page is no harm', () => {
    sessionStorage.setItem('asg-lab-place', '{"view":"unknown","places":{"model":{"root":"a"}}}');
    expect(loadPlace()).toMatchObject({ view: 'model', places: { model: { root: 'a', expanded: [] }, plan: { root: '' } } });
    sessionStorage.setItem('asg-lab-place', 'not json');
    expect(loadPlace().view).toBe('model');
  });
});
