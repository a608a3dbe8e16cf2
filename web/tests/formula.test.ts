import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { safeFormula } from '../src/inspect/mathml';

describe('a formula', () => {
  it('keeps its elements, attributes and signs', () => {
    const formula = safeFormula('<math display="block"><mfrac><mi>x</mi><mn>2</mn></mfrac><mo stretchy="false">&#x2061;(</mo></math>');
    expect(formula?.outerHTML).toContain('<mfrac><mi>x</mi><mn>2</mn></mfrac>');
    expect(formula?.getAttribute('display')).toBe('block');
    expect(formula?.namespaceURI).toBe('http://www.w3.org/1998/Math/MathML');
  });

  it.each([
    ['a script', '<math><script>alert(1)</script><mi>x</mi></math>'],
    ['an event handler', '<math onclick="alert(1)"><mi onmouseover="alert(1)">x</mi></math>'],
    ['a link', '<math><mi href="javascript:alert(1)">x</mi></math>'],
    ['HTML inside', '<math><mtext><img xmlns="http://www.w3.org/1999/xhtml" src="x" onerror="alert(1)"/></mtext><mi>x</mi></math>'],
    ['an action', '<math><maction actiontype="statusline#http://x"><mi>y</mi></maction><mi>x</mi></math>'],
    ['foreign annotations', '<math><semantics><annotation-xml encoding="text/html"><b>no</b></annotation-xml></semantics><mi>x</mi></math>'],
    ['a style', '<math style="position:fixed"><mi class="y" id="root">x</mi></math>'],
  ])('loses %s', (_, text) => {
    const formula = safeFormula(text);
    expect(formula?.querySelectorAll('mi')).toHaveLength(1);
    expect(formula?.outerHTML).not.toMatch(/script|on\w+=|href|img|annotation|style|class|id=|action/);
    expect(formula?.textContent).toContain('x');
  });

  it.each(['', 'no markup', '<math><mi>', '<svg/>', '<!DOCTYPE math [<!ENTITY a "b">]><other/>'])('is none when it is not one math element: %s', (text) => {
    expect(safeFormula(text)).toBeNull();
  });

  it('passes whole for every card of the engine', () => {
    const palette = JSON.parse(readFileSync('../docs/ops/palette.json', 'utf8')) as { ops: { name: string; formula?: { mathml: string } }[] };
    const given = palette.ops.flatMap(({ name, formula }) => (formula?.mathml ? [{ name, mathml: formula.mathml }] : []));
    expect(given.length).toBeGreaterThan(100);
    for (const { name, mathml } of given) {
      const count = (mathml.match(/<[a-z]/g) ?? []).length;
      expect([name, safeFormula(mathml)?.querySelectorAll('*').length]).toEqual([name, count - 1]);
    }
  });
});
