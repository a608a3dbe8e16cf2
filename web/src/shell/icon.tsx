// Small line drawings of 16 by 16.
const SHAPES = {
  play: 'M4 2.5v11l9-5.5z', pause: 'M4 3h3v10H4zM9 3h3v10H9z', step: 'M3 3v10l7-5zM11 3h2v10h-2z', stop: 'M3.5 3.5h9v9h-9z',
  undo: 'M6 3 2.5 6.5 6 10M3 6.5h6a4 4 0 0 1 0 7H6', redo: 'm10 3 3.5 3.5L10 10m3-3.5H7a4 4 0 0 0 0 7h3',
  plus: 'M8 3v10M3 8h10', minus: 'M3 8h10', fit: 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
  target: 'M8 1.5v3M8 11.5v3M1.5 8h3M11.5 8h3M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6z', path: 'M3 3h3v3H3zM10 10h3v3h-3zM4.5 6v3.5a2 2 0 0 0 2 2H10',
  outline: 'M2.5 3.5h3M2.5 8h3M2.5 12.5h3M7.5 3.5h6M7.5 8h6M7.5 12.5h6', panel: 'M2.5 3h11v10h-11zM10 3v10', chart: 'M2.5 2.5v11h11M4.5 10l3-3.5 2.5 2L13 4.5',
  legend: 'M3 3.5h2v2H3zM3 7h2v2H3zM3 10.5h2v2H3zM7 4.5h6M7 8h6M7 11.5h6', badge: 'M2.5 5h7l4 3-4 3h-7z', sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1v2M8 13v2M1 8h2M13 8h2M3 3l1.4 1.4M11.6 11.6 13 13M13 3l-1.4 1.4M4.4 11.6 3 13',
  help: 'M5.5 6a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.8-1.1 1.8M8 12.2v.6',
} as const;

export type IconName = keyof typeof SHAPES;
const FILLED = new Set<IconName>(['play', 'pause', 'step', 'stop']);

export function Icon({ name }: { name: IconName }) {
  const filled = FILLED.has(name);
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" fill={filled ? 'currentColor' : 'none'} stroke={filled ? 'none' : 'currentColor'} strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round">
      <path d={SHAPES[name]} />
    </svg>
  );
}
