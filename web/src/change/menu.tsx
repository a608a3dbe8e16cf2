import { useEffect, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { useCanvas } from '../graph/canvas_state';
import { shortOp } from '../graph/measure';
import { enter, switchView, toggle, unfold } from '../state/place';
import { describedOf, placeOf, useLab } from '../state/store';
import { useWords } from '../words/words';
import { isFrozen, parametersOf, replaceOp, reset, setTrainable, usualFirst } from './edits';

const close = () => useLab.setState({ menu: null });

function Entry({ children, disabled = false, act, reason }: { children: ReactNode; disabled?: boolean; act(): void; reason?: string }) {
  const run = () => {
    if (disabled) return;
    act();
    close();
  };
  return <button type="button" role="menuitem" tabIndex={-1} aria-disabled={disabled} title={reason} onClick={run}>{children}</button>;
}

function move(event: KeyboardEvent<HTMLDivElement>): void {
  const entries = Array.from(event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]'));
  const at = entries.indexOf(document.activeElement as HTMLElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[event.key];
  if (event.key === 'Escape' || event.key === 'Tab') close();
  else if (next === undefined) return;
  else entries[(next + entries.length) % entries.length]?.focus();
  event.preventDefault();
  event.stopPropagation();
}

// What can be done with a node, by right click or by the key for menus. What cannot be done says why.
export function NodeMenu() {
  const { t, pick } = useWords();
  const menu = useLab((state) => state.menu);
  const described = useLab((state) => (state.menu ? describedOf(state, state.menu.path) : undefined));
  const item = useCanvas((state) => state.scene?.nodes.find(({ path, item: own }) => path === menu?.path && own)?.item);
  const expanded = useLab((state) => menu !== null && placeOf(state).expanded.includes(menu.path));
  const readOnly = useLab((state) => state.readOnly);
  const view = useLab((state) => state.view);
  const place = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const node = place.current;
    if (!menu || !node) return;
    node.style.left = `${Math.max(4, Math.min(menu.x, window.innerWidth - node.offsetWidth - 8))}px`;
    node.style.top = `${Math.max(4, Math.min(menu.y, window.innerHeight - node.offsetHeight - 8))}px`;
  }, [menu, described]);
  useEffect(() => {
    if (!menu) return undefined;
    const before = document.activeElement;
    place.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
    const away = (event: MouseEvent) => { if (!place.current?.contains(event.target as Node)) close(); };
    window.addEventListener('pointerdown', away);
    return () => {
      window.removeEventListener('pointerdown', away);
      if (before instanceof HTMLElement) before.focus();
    };
  }, [menu]);

  if (!menu) return null;
  const { path } = menu;
  const locked = readOnly || view !== 'model';
  const reason = readOnly ? t('readOnlyWhy') : view !== 'model' ? t('notHere') : undefined;
  const variables = described?.variables ?? [];
  const frozen = described !== undefined && isFrozen(described);
  const entryReason = reason ? { reason } : {};
  return (
    <div className="menu floating" role="menu" aria-label={path} ref={place} onKeyDown={move}>
      {item?.opens && <Entry act={() => { useCanvas.setState({ anchor: path }); toggle(path); }}>{expanded ? t('collapse') : t('expand')}<kbd>Enter</kbd></Entry>}
      {item?.opens && <Entry act={() => enter(path)}>{t('enter')}</Entry>}
      {item?.repeats && <Entry act={() => unfold(item.repeats?.of ?? path, item.folded > 1)}>{item.folded > 1 ? t('unfold', { n: item.folded }) : t('fold')}</Entry>}
      <Entry act={() => useLab.setState({ showPath: !useLab.getState().showPath })}>{t('showPath')}<kbd>p</kbd></Entry>
      <Entry act={() => void navigator.clipboard?.writeText(path)}>{t('copyPath')}</Entry>
      {view !== 'model' && <Entry act={() => void switchView('model')}>{t('goToModel')}</Entry>}
      {variables.length > 0 && <hr />}
      {described && parametersOf(described).length > 0 && <Entry disabled={locked} {...entryReason} act={() => void setTrainable(described, frozen)}>{frozen ? t('unfreeze') : t('freeze')}</Entry>}
      {variables.length > 0 && <Entry disabled={locked} {...entryReason} act={() => void reset([path])}>{t('resetLayer')}</Entry>}
      <hr />
      <div className="group" role="none">{t('replaceBy')}</div>
      <div className="choices" role="none">{usualFirst(described?.replacements ?? []).map(({ op, title }) => <Entry key={op} disabled={locked} reason={reason ?? pick(title)} act={() => void replaceOp(path, op)}>{shortOp(op)}</Entry>)}</div>
      {described && described.replacements.length === 0 && <p className="reason" role="none">{described.why_not ? pick(described.why_not) : t('notActivation')}</p>}
      {reason && <p className="reason" role="none">{reason}</p>}
    </div>
  );
}
