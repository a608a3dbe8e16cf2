import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { find } from '../state/session';
import { useLab } from '../state/store';
import { shorten, shortOp } from '../graph/measure';
import type { FoundItem } from '../wire/types';
import { useWords } from '../words/words';
import { show } from './show';

// Looks for paths, ops and names of weights in the view that is shown; the Lab does the search.
export function Search() {
  const { t } = useWords();
  const view = useLab((state) => state.view);
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const [found, setFound] = useState<{ word: string; items: FoundItem[]; more: number } | null>(null);
  const [at, setAt] = useState(0);
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const word = text.trim();
    if (word === '') {
      setFound(null);
      return undefined;
    }
    let outdated = false;
    const timer = setTimeout(() => {
      void find(view, word).then((answer) => {
        if (outdated || !answer) return;
        setFound({ word, ...answer });
        setAt(0);
      });
    }, 120);
    return () => {
      outdated = true;
      clearTimeout(timer);
    };
  }, [text, view]);

  useEffect(() => void document.getElementById(`found-${at}`)?.scrollIntoView({ block: 'nearest' }), [at]);

  const choose = (item: FoundItem | undefined) => {
    if (!item) return;
    setOpen(false);
    box.current?.querySelector('input')?.blur(); // the keys belong to the graph again
    void show(item.path, item.view);
  };
  // Who types quickly need not wait for the list.
  const chooseBest = async () => {
    const word = text.trim();
    if (found?.word === word) choose(found.items[at]);
    else if (word !== '') choose((await find(view, word))?.items[0]);
  };
  const onKey = (event: KeyboardEvent) => {
    const items = found?.items ?? [];
    if (event.key === 'ArrowDown') setAt(Math.min(items.length - 1, at + 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1));
    else if (event.key === 'Enter') void chooseBest();
    else if (event.key === 'Escape') { setOpen(false); (event.target as HTMLElement).blur(); }
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const shown = open && found !== null;
  return (
    <div className="search" ref={box} role="search" onBlur={(event) => { if (!box.current?.contains(event.relatedTarget)) setOpen(false); }}>
      <input id="search" className="field" type="search" role="combobox" aria-label={t('search')} placeholder={t('searchShort')} autoComplete="off" aria-expanded={shown} aria-controls="found" aria-autocomplete="list"
        {...(shown && found.items[at] ? { 'aria-activedescendant': `found-${at}` } : {})}
        value={text} onFocus={() => setOpen(true)} onChange={(event) => { setText(event.target.value); setOpen(true); }} onKeyDown={onKey} />
      <div className="results floating" hidden={!shown}>
        <ul id="found" role="listbox" aria-label={t('searchResults')}>
          {found?.items.map((item, index) => (
            <li key={item.path} id={`found-${index}`} role="option" aria-selected={index === at} data-category={item.category || 'other'} onMouseEnter={() => setAt(index)}
              onPointerDown={(event) => { event.preventDefault(); choose(item); }}><span className="dot" /><span className="path" title={item.path}>{shorten(item.path, 13, 400, 520)}</span><span className="soft">{shortOp(item.op)}</span></li>
          ))}
        </ul>
        {found?.items.length === 0 && <p>{t('searchNothing', { text })}</p>}
        {(found?.more ?? 0) > 0 && <p>{t('searchMore', { n: found?.more ?? 0 })}</p>}
      </div>
    </div>
  );
}
