import { useEffect, useState } from 'react';
import { useLab } from '../state/store';

const query = (): MediaQueryList => window.matchMedia('(prefers-color-scheme: dark)');

// Light or dark, as chosen or as the system has it.
export function useShownTheme(): 'light' | 'dark' {
  const theme = useLab((state) => state.theme);
  const [systemDark, setSystemDark] = useState(() => query().matches);
  useEffect(() => {
    const media = query();
    const listen = () => setSystemDark(media.matches);
    media.addEventListener('change', listen);
    return () => media.removeEventListener('change', listen);
  }, []);
  const shown = theme === 'auto' ? (systemDark ? 'dark' : 'light') : theme;
  // Said to the root of the page at once: charts read their colours from it, and any of them may be drawn first.
  document.documentElement.dataset.theme = shown;
  return shown;
}

// Tells the page's root which theme and language it has.
export function useRootAttributes(): void {
  useShownTheme();
  const lang = useLab((state) => state.lang);
  document.documentElement.lang = lang;
}
