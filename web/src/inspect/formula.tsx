import { useEffect, useRef } from 'react';
import { safeFormula } from './mathml';

const SIZE = 15;
const LEAST = 10;

// The formula as MathML, or its plain text where there is none. One that is too wide is set smaller; what is still too
// wide can be scrolled.
export function Formula({ mathml, text }: { mathml: string; text: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const node = place.current;
    if (!node) return;
    node.replaceChildren(safeFormula(mathml) ?? text);
    node.style.fontSize = `${SIZE}px`;
    const share = node.clientWidth / Math.max(1, node.scrollWidth);
    if (share < 1) node.style.fontSize = `${Math.max(LEAST, Math.floor(SIZE * share * 10) / 10)}px`;
  }, [mathml, text]);
  return <div className="formula" ref={place} tabIndex={0} role="math" aria-label={text} />;
}
