import type { Lang } from '../state/keep';

// Numbers as people read them: short, with the sign of the language between whole and fraction.
const local = (text: string, lang: Lang): string => (lang === 'ru' ? text.replace('.', ',') : text);

export function shortNumber(value: number | null | undefined, lang: Lang): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '—';
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return local(value.toExponential(2).replace('e+', 'e').replaceAll('-', '−'), lang);
  return local(String(Number(value.toPrecision(4))).replace('-', '−'), lang);
}

const scaled = (value: number, steps: readonly [number, string][], lang: Lang): string => {
  for (const [size, unit] of steps) {
    if (value >= size) return `${local(String(Number((value / size).toPrecision(3))), lang)}${unit}`;
  }
  return local(String(Number(value.toPrecision(3))), lang);
};

export const countText = (value: number, lang: Lang): string =>
  scaled(value, lang === 'ru' ? [[1e9, ' млрд'], [1e6, ' млн'], [1e3, ' тыс.']] : [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']], lang);

export const bytesText = (value: number, lang: Lang): string =>
  scaled(value, lang === 'ru' ? [[2 ** 30, ' ГиБ'], [2 ** 20, ' МиБ'], [2 ** 10, ' КиБ'], [1, ' Б']] : [[2 ** 30, ' GiB'], [2 ** 20, ' MiB'], [2 ** 10, ' KiB'], [1, ' B']], lang);

export function secondsText(value: number, lang: Lang): string {
  const units = lang === 'ru' ? [' с', ' мс', ' мкс'] : [' s', ' ms', ' µs'];
  const [size, unit] = value >= 1 ? [1, units[0]] : value >= 1e-3 ? [1e-3, units[1]] : [1e-6, units[2]];
  return `${local(String(Number((value / size).toPrecision(3))), lang)}${unit ?? ''}`;
}

// A number that a person typed, with a comma or a point; null when it is none.
export function typedNumber(text: string): number | null {
  const clean = text.trim().replace(',', '.').replace('−', '-');
  if (clean === '') return null;
  const value = Number(clean);
  return Number.isFinite(value) ? value : null;
}
