import { useMemo, useRef, type KeyboardEvent } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { bringIntoSight } from '../graph/canvas_state';
import { expand, parentOf } from '../state/place';
import { levelKey, useLab, type LabState } from '../state/store';
import { opBeside, shorten, shortOp, textWidth } from '../graph/measure';
import type { Item } from '../wire/types';
import { useWords } from '../words/words';
import { show } from './show';

interface Row {
  item: Item;
  depth: number;
  expanded: boolean;
  position: number;
  siblings: number;
}

// The rows of the tree that are open, from the levels that are known.
export function rowsOf(state: Pick<LabState, 'current' | 'view' | 'levels' | 'places'>): Row[] {
  const { expanded } = state.places[state.view];
  const rows: Row[] = [];
  const visit = (scope: string, depth: number): void => {
    const items = state.levels[levelKey(state.current, state.view, scope)]?.items ?? [];
    items.forEach((item, index) => {
      const open = item.opens && expanded.includes(item.path);
      rows.push({ item, depth, expanded: open, position: index + 1, siblings: items.length });
      if (open) visit(item.path, depth + 1);
    });
  };
  visit('', 0);
  return rows;
}

// The graph as a tree: for the keyboard, for screen readers, and for what lies outside the picture.
export function Outline() {
  const { t } = useWords();
  const { current, view, levels, places } = useLab(useShallow((state) => ({ current: state.current, view: state.view, levels: state.levels, places: state.places })));
  const { selected } = places[view];
  const rows = useMemo(() => rowsOf({ current, view, levels, places }), [current, view, levels, places]);
  const tree = useRef<HTMLUListElement>(null);
  const stop = rows.some(({ item }) => item.path === selected) ? selected : (rows[0]?.item.path ?? null);
  const focusOn = (path: string) => tree.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(path)}"]`)?.focus();

  const onKey = (event: KeyboardEvent<HTMLLIElement>, row: Row, index: number) => {
    const { path, opens } = row.item;
    const go = (at: number) => { const next = rows[at]; if (next) focusOn(next.item.path); };
    switch (event.key) {
      case 'ArrowDown': go(index + 1); break;
      case 'ArrowUp': go(index - 1); break;
      case 'Home': go(0); break;
      case 'End': go(rows.length - 1); break;
      case 'ArrowRight': if (opens && !row.expanded) expand(path, true); else if (row.expanded) go(index + 1); break;
      case 'ArrowLeft': if (row.expanded) expand(path, false); else if (parentOf(path) !== '') focusOn(parentOf(path)); break;
      case 'Enter': case ' ': void show(path); break;
      case 'ContextMenu': openMenu(event.currentTarget, path); break;
      case 'F10': if (!event.shiftKey) return; openMenu(event.currentTarget, path); break;
      default: return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <nav className="outline" aria-label={t('outline')}>
      <h2 className="panel-title">{t('outline')}</h2>
      <ul className="tree" role="tree" aria-label={t('outline')} ref={tree}>
        {rows.map((row, index) => (
          <li key={row.item.path} role="treeitem" data-row={row.item.path} aria-level={row.depth + 1} aria-selected={row.item.path === selected} aria-posinset={row.position} aria-setsize={row.siblings}
            {...(row.item.opens ? { 'aria-expanded': row.expanded } : {})} tabIndex={row.item.path === stop ? 0 : -1} data-category={row.item.category || 'other'}
            aria-label={[row.item.name, shortOp(row.item.op)].filter(Boolean).join(', ')} style={{ paddingLeft: 6 + row.depth * 14 }} onKeyDown={(event) => onKey(event, row, index)}
            onClick={() => { void show(row.item.path); }} onDoubleClick={() => { if (row.item.opens) expand(row.item.path, !row.expanded); bringIntoSight(row.item.path); }}>
            <span className="twist" aria-hidden="true" onClick={(event) => { event.stopPropagation(); if (row.item.opens) expand(row.item.path, !row.expanded); }}>{row.item.opens ? (row.expanded ? '▾' : '▸') : ''}</span>
            <span className="dot" aria-hidden="true" /><span title={nameOf(row) === row.item.name ? undefined : row.item.name}>{nameOf(row)}</span>{opFits(row) && <span className="soft">{opBeside(row.item)}</span>}
          </li>
        ))}
      </ul>
    </nav>
  );
}

const nameOf = ({ item, depth }: Row): string => shorten(item.name, 13, 400, Math.max(80, 150 - depth * 14));

// The op is left out where it would be cut off; the inspector names it anyway.
function opFits({ item, depth }: Row): boolean {
  return 60 + depth * 14 + textWidth(item.name, 13) + textWidth(shortOp(item.op), 13) < 210;
}

function openMenu(row: HTMLElement, path: string): void {
  const { left, bottom } = row.getBoundingClientRect();
  void show(path).then(() => useLab.setState({ menu: { path, x: left + 30, y: bottom } }));
}
