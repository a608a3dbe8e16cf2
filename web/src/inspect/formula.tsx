import { useEffect, useRef } from 'react';
import { safeFormula } from './mathml';

// The formula as MathML, or its plain text where there is none.
export function Formula({ mathml, text }: { mathml: string; text: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const formula = safeFormula(mathml);
    place.current?.replaceChildren(formula ?? text);
  }, [mathml, text]);
  return <div className="formula" ref={place} tabIndex={0} role="math" aria-label={text} />;
}
