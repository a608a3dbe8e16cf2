import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { bytesText, countText, secondsText, shortNumber, typedNumber } from '../src/words/numbers';
import { en, type Key } from '../src/words/en';
import { ru } from '../src/words/ru';
import { t } from '../src/words/words';

const keys = Object.keys(en) as Key[];
const places = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

it('every word is there in both languages, with the same places for numbers', () => {
  expect(Object.keys(ru).sort()).toEqual([...keys].sort());
  for (const key of keys) {
    expect([key, en[key].trim() !== '' && ru[key].trim() !== '']).toEqual([key, true]);
    expect([key, places(ru[key])]).toEqual([key, places(en[key])]);
  }
});

it('Russian words are in Russian letters', () => {
  const names = new Set(['gamma']);
  for (const key of keys) if (!names.has(key)) expect([key, /[а-яё]/i.test(ru[key])]).toEqual([key, true]);
});

it('no word is left that nobody says', () => {
  const source = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path) && !path.startsWith('words')).map((path) => readFileSync(`src/${path}`, 'utf8')).join('\n');
  const made = /^(cat|badge|view|hint|chart|mark|theme|schedule|flag|reason|part)_/; // put together from a name
  const unused = keys.filter((key) => !made.test(key) && !new RegExp(`['"\`]${key}['"\`]|${key}: '`).test(source));
  expect(unused).toEqual([]);
});

it('numbers take the sign of the language', () => {
  expect(shortNumber(-1.25, 'ru')).toBe('−1,25');
  expect(shortNumber(0.0000123, 'en')).toBe('1.23e−5');
  expect(shortNumber(null, 'en')).toBe('—');
  expect(countText(65536, 'en')).toBe('65.5k');
  expect(bytesText(3 * 2 ** 20, 'ru')).toBe('3 МиБ');
  expect(bytesText(12, 'en')).toBe('12 B');
  expect(secondsText(0.0021, 'en')).toBe('2.1 ms');
});

it('numbers are read with a comma too', () => {
  expect(typedNumber(' 0,5 ')).toBe(0.5);
  expect(typedNumber('1e-3')).toBe(0.001);
  expect(typedNumber('')).toBeNull();
  expect(typedNumber('12x')).toBeNull();
});

it('a missing part stays visible', () => {
  expect(t('stepNumber', { n: 3 }, 'ru')).toBe('шаг 3');
  expect(t('stepNumber', {}, 'en')).toBe('step {n}');
});
