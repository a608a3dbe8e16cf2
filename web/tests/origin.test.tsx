import { renderHook, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { isBehind, useModelValue } from '../src/state/origin';
import { startSession } from '../src/state/session';
import { useLab } from '../src/state/store';
import { TestSocket, training } from './helpers';

let socket: TestSocket;
beforeEach(() => {
  socket = new TestSocket();
  startSession('ws://lab', () => socket);
  socket.open();
  socket.say({ event: 'welcome', version: '', read_only: false, lang: 'en', trainings: [training()] });
});

const answer = (expanded: string[]) => {
  const [asked] = socket.asked('locate').slice(-1);
  socket.say({ event: 'located', training: 1, ask: asked?.ask, places: { model: [], expanded, gradient: [], optimised: [], plan: [] } });
};

it('a value of the model is itself', () => {
  useLab.setState({ view: 'model' });
  expect(renderHook(() => useModelValue('block/add:1')).result.current).toBe('block/add:1');
  expect(socket.asked('locate')).toEqual([]);
});

it('one of the forward pass is found by its origin, when there is exactly one', async () => {
  useLab.setState({ view: 'gradient' });
  const one = renderHook(() => useModelValue('forward/add:1'));
  expect(one.result.current).toBeNull();
  answer(['add']);
  await waitFor(() => expect(one.result.current).toBe('add:1'));
  const two = renderHook(() => useModelValue('forward/fused:0'));
  answer(['add', 'mul']);
  await waitFor(() => expect(socket.asked('locate')).toHaveLength(2));
  expect(two.result.current).toBeNull();
});

it('of a gradient nothing is told, and nothing asked', () => {
  useLab.setState({ view: 'gradient' });
  expect(renderHook(() => useModelValue('gradient/add:0')).result.current).toBeNull();
  expect(isBehind('gradient', 'gradient/add:0')).toBe(true);
  expect(isBehind('gradient', 'forward/add:0')).toBe(false);
  expect(isBehind('model', 'gradient/add:0')).toBe(false);
  expect(socket.asked('locate')).toEqual([]);
});
