import { useEffect, useState, type KeyboardEvent } from 'react';
import { useLab } from '../state/store';
import { useWords } from '../words/words';
import { COMMANDS, isReady, type Command } from './commands';
import { closeDialog, Dialog } from './dialog';

// Are all letters of `word` in `text`, in this order?
export function fits(text: string, word: string): boolean {
  let at = 0;
  const low = text.toLowerCase();
  for (const letter of word.toLowerCase().replaceAll(' ', '')) {
    at = low.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

export function Palette() {
  const { t } = useWords();
  const state = useLab();
  const [word, setWord] = useState('');
  const [at, setAt] = useState(0);
  const name = (each: Command) => each.words.map((key) => t(key)).join(' · ');
  const found = COMMANDS.filter((each) => each.id !== 'palette' && fits(name(each), word));
  const choose = (each: Command | undefined) => {
    if (!each || !isReady(each, state)) return;
    closeDialog();
    each.run();
  };
  const marked = found[at]?.id ?? '';
  useEffect(() => void document.getElementById(`command-${marked}`)?.scrollIntoView({ block: 'nearest' }), [marked]);
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt(Math.min(found.length - 1, at + 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1));
    else if (event.key === 'Enter') choose(found[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={t('palette')} className="palette" head={false}>
      <input autoFocus role="combobox" aria-label={t('paletteHint')} aria-expanded="true" aria-controls="commands" aria-activedescendant={found[at] ? `command-${found[at].id}` : undefined}
        placeholder={t('paletteHint')} value={word} onChange={(event) => { setWord(event.target.value); setAt(0); }} onKeyDown={onKey} />
      <ul id="commands" role="listbox" aria-label={t('palette')}>
        {found.map((each, index) => (
          <li key={each.id} id={`command-${each.id}`} role="option" aria-selected={index === at} aria-disabled={!isReady(each, state)} onMouseEnter={() => setAt(index)} onClick={() => choose(each)}>
            <span>{name(each)}</span>{each.shown !== undefined && <kbd>{each.shown}</kbd>}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
