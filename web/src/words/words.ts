import { useCallback } from 'react';
import { useLab } from '../state/store';
import type { Lang } from '../state/keep';
import type { Words } from '../wire/types';
import { en, type Key } from './en';
import { ru } from './ru';

export type { Key } from './en';
type Parts = Record<string, string | number>;

const dictionaries: Record<Lang, Record<Key, string>> = { en, ru };

export function t(key: Key, parts: Parts = {}, lang: Lang = useLab.getState().lang): string {
  return dictionaries[lang][key].replace(/\{(\w+)\}/g, (whole, name: string) => String(parts[name] ?? whole));
}

// A text that is the same in both languages, or already comes in both.
export const both = (text: Words | string): Words => (typeof text === 'string' ? { en: text, ru: text } : text);

// Words of the page, to be shown in whichever language it has then.
export const wordsOf = (key: Key, parts: Parts = {}): Words => ({ en: t(key, parts, 'en'), ru: t(key, parts, 'ru') });

export const isKey = (text: string): text is Key => text in en;

// Words in the language of the page, for components: they are drawn again when it changes.
export function useWords(): { lang: Lang; t: (key: Key, parts?: Parts) => string; pick: (words: Words | undefined) => string } {
  const lang = useLab((state) => state.lang);
  return {
    lang,
    t: useCallback((key: Key, parts: Parts = {}) => t(key, parts, lang), [lang]),
    pick: useCallback((words: Words | undefined) => (words ? words[lang] : ''), [lang]),
  };
}
