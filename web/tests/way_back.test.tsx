import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Notices } from '../src/shell/banners';
import { startSession } from '../src/state/session';
import { useLab } from '../src/state/store';
import { TestSocket, training } from './helpers';

const error = { code: 'computation_error', given: "the number 17 at [5] of the input 'labels'", needed: 'a class from 0 to 9' };
const buttons = () => screen.getAllByRole('button').map(({ textContent }) => textContent).filter((text) => text !== '✕');

let socket: TestSocket;
beforeEach(() => {
  socket = new TestSocket();
  startSession('ws://lab', () => socket);
  socket.open();
  const snapshots = [{ id: 4, step: 12, text: { en: '', ru: '' } }];
  socket.say({ event: 'welcome', version: '', read_only: false, lang: 'en', trainings: [{ ...training(), snapshots }] });
  useLab.setState({ notices: [], lang: 'en' });
});
afterEach(cleanup);

const fail = (more: object) => socket.say({ event: 'failed', training: 1, message: 'run', error, ...more });

it('a step that failed offers the way back in the language of the page', () => {
  fail({ way_back: [{ do: 'undo' }, { do: 'return_to', id: 4 }] });
  render(<Notices />);
  expect(buttons()).toEqual(['Undo the last change', 'Return to step 12']);
  act(() => useLab.setState({ lang: 'ru' }));
  expect(buttons()).toEqual(['Отменить последнее изменение', 'Вернуться на шаг 12']);
  fireEvent.click(screen.getByText('Вернуться на шаг 12'));
  expect(socket.asked('return_to')).toMatchObject([{ id: 4, training: 1 }]);
  expect(useLab.getState().notices).toEqual([]);
});

it('without a way back, or for who may only look, there are no buttons', () => {
  fail({});
  render(<Notices />);
  expect(buttons()).toEqual([]);
  act(() => fail({ way_back: [{ do: 'return_to', id: 7 }] }));
  expect(buttons()).toEqual(['Return to the last snapshot']);
  act(() => useLab.setState({ readOnly: true }));
  expect(buttons()).toEqual([]);
});
