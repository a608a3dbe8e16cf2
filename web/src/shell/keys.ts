import { useEffect } from 'react';
import { tinykeys } from 'tinykeys';
import { useCanvas } from '../graph/canvas_state';
import { neighbourOf, type Direction } from '../graph/neighbours';
import { enter, leave, select, toggle } from '../state/place';
import { placeOf, useLab } from '../state/store';
import { COMMANDS, isReady } from './commands';

// A dialog that was asked for may still be on its way: the keys after it are not for what lies below.
const isTyping = (event: KeyboardEvent): boolean => useLab.getState().dialog !== null ||
  event.target instanceof HTMLElement && (event.target.matches('input, select, textarea, [contenteditable]') || event.target.closest('dialog, [role=menu]') !== null);

// Keys that mean something to the control in focus are left to it.
const isControl = (event: KeyboardEvent): boolean =>
  event.target instanceof HTMLElement && event.target.closest('button:not(.main), a, [role=tree], [role=tablist]') !== null;

function selectedItem() {
  const { selected } = placeOf(useLab.getState());
  return useCanvas.getState().scene?.nodes.find(({ path, item }) => path === selected && item);
}

function go(direction: Direction): void {
  const { scene } = useCanvas.getState();
  const next = scene && neighbourOf(scene, placeOf(useLab.getState()).selected, direction);
  if (next == null) return;
  select(next);
  useCanvas.setState({ focus: next });
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`.canvas [data-path="${CSS.escape(next)}"] .main`)?.focus({ preventScroll: true }));
}

function openSelected(inside: boolean): void {
  const node = selectedItem();
  if (!node?.item?.opens) return;
  useCanvas.setState({ anchor: node.path });
  if (inside) enter(node.path);
  else toggle(node.path);
}

function openMenu(): void {
  const { selected } = placeOf(useLab.getState());
  if (selected === null) return;
  const box = document.querySelector(`.canvas [data-path="${CSS.escape(selected)}"]`)?.getBoundingClientRect();
  useLab.setState({ menu: { path: selected, x: box?.left ?? 300, y: (box?.bottom ?? 200) + 4 } });
}

function escape(): void {
  const state = useLab.getState();
  if (state.menu) useLab.setState({ menu: null });
  else if (state.showPath) useLab.setState({ showPath: false });
  else if (state.selectedValue !== null) useLab.setState({ selectedValue: null });
  else if (placeOf(state).root !== '') leave();
  else select(null);
}

// The letters of the Russian layout on the same keys: whoever has it on need not switch for a command.
const SAME_KEY: Record<string, string> = {
  s: 'ы', e: 'у', f: 'а', c: 'с', p: 'з', o: 'щ', i: 'ш', g: 'п', l: 'д', m: 'ь', n: 'т', t: 'е', j: 'о', z: 'я', k: 'л',
};

// `$mod+z` gives `$mod+я`; keys that are no letters give nothing.
export function inOtherLayout(keys: string): string | null {
  const [letter] = keys.split('+').slice(-1);
  const other = letter === undefined ? undefined : SAME_KEY[letter];
  return other === undefined ? null : keys.slice(0, -1) + other;
}

export function useKeys(): void {
  useEffect(() => {
    const unlessTyping = (act: () => void, evenOnControls = true) => (event: KeyboardEvent) => {
      if (isTyping(event) || (!evenOnControls && isControl(event))) return;
      event.preventDefault();
      act();
    };
    const bindings: Record<string, (event: KeyboardEvent) => void> = {
      ArrowUp: unlessTyping(() => go('up'), false),
      ArrowDown: unlessTyping(() => go('down'), false),
      ArrowLeft: unlessTyping(() => go('left'), false),
      ArrowRight: unlessTyping(() => go('right'), false),
      Enter: unlessTyping(() => openSelected(false), false),
      'Shift+Enter': unlessTyping(() => openSelected(true), false),
      Escape: unlessTyping(escape),
      'Shift+F10': unlessTyping(openMenu),
      ContextMenu: unlessTyping(openMenu),
      m: unlessTyping(openMenu),
    };
    for (const each of COMMANDS) {
      if (each.keys === undefined) continue;
      const run = () => { if (isReady(each, useLab.getState())) each.run(); };
      bindings[each.keys] = each.keys.startsWith('$mod') ? (event) => { if (event.target instanceof HTMLInputElement && each.keys === '$mod+z') return; event.preventDefault(); run(); }
        : unlessTyping(run, each.keys !== 'Space');
    }
    for (const [keys, act] of Object.entries(bindings)) {
      const other = inOtherLayout(keys);
      if (other !== null) bindings[other] = act;
    }
    return tinykeys(window, bindings);
  }, []);
}
