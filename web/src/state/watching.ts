import { useEffect } from 'react';
import { valueName } from './readings';

// Which values the page wants to see, by who wants them. The Lab hears of the union, a moment after it has changed.
const wanted = new Map<symbol, string[]>();
let send: ((values: string[]) => void) | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
let said = '';

export function wantedValues(): string[] {
  const all = new Set<string>();
  for (const values of wanted.values()) values.forEach((value) => all.add(valueName(value)));
  return [...all].sort();
}

export function tellWatchingTo(sender: ((values: string[]) => void) | null): void {
  send = sender;
  said = '';
  tellSoon();
}

// The same names mean other values now.
export function watchAgain(): void {
  said = '\n';
  tellSoon();
}

function tellSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const values = wantedValues();
    const text = values.join('\n');
    if (!send || text === said) return;
    said = text;
    send(values);
  }, 60);
}

export function want(owner: symbol, values: string[]): void {
  if (values.length === 0) wanted.delete(owner);
  else wanted.set(owner, values);
  tellSoon();
}

// Watches values for as long as the component is shown.
export function useWatch(values: string[]): void {
  const text = values.join('\n');
  useEffect(() => {
    const owner = Symbol('watch');
    want(owner, text === '' ? [] : text.split('\n'));
    return () => want(owner, []);
  }, [text]);
}
