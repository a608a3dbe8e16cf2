import { afterEach, expect, it, vi } from 'vitest';
import { receive } from '../src/state/receive';
import { useLab } from '../src/state/store';
import type { LabEvent } from '../src/wire/events';

afterEach(() => {
  useLab.setState({ notices: [] });
  vi.useRealTimers();
});

const applied = (more: object) => receive({ event: 'edit_applied', training: 1, how: 'apply', kept: [], changed: [], type_changes: [], ...more } as LabEvent);

it('an edit that could not keep the outputs says why', () => {
  vi.useFakeTimers();
  applied({ policy: 'preserve' });
  expect(useLab.getState().notices).toEqual([]);
  applied({ policy: 'overlap', not_preserved: "a new size of 'a.weight' that reaches norm" });
  expect(useLab.getState().notices).toMatchObject([{ kind: 'done', title: { en: 'The outputs changed; weights were kept where they fit' }, text: { en: "a new size of 'a.weight' that reaches norm" } }]);
});
