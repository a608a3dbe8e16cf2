// Formulas come as MathML from the Lab. They are parsed as XML and copied element by element: only what is listed
// here gets into the page, whatever a model file may have smuggled into a formula.
const ELEMENTS = new Set([
  'math', 'mrow', 'mi', 'mn', 'mo', 'mtext', 'mspace', 'ms', 'mfrac', 'msqrt', 'mroot', 'mstyle', 'mpadded', 'mphantom', 'msub',
  'msup', 'msubsup', 'munder', 'mover', 'munderover', 'mtable', 'mtr', 'mtd',
]);
const ATTRIBUTES = new Set([
  'display', 'form', 'stretchy', 'fence', 'separator', 'lspace', 'rspace', 'minsize', 'maxsize', 'symmetric', 'largeop', 'movablelimits',
  'mathvariant', 'columnalign', 'rowspacing', 'columnspacing', 'accent', 'accentunder', 'linethickness', 'displaystyle', 'scriptlevel', 'width', 'height', 'depth',
]);
const NAMESPACE = 'http://www.w3.org/1998/Math/MathML';

function copy(source: Element): Element | null {
  const name = source.localName;
  if (!ELEMENTS.has(name)) return null;
  const made = document.createElementNS(NAMESPACE, name);
  for (const { name: attribute, value } of Array.from(source.attributes)) {
    if (ATTRIBUTES.has(attribute)) made.setAttribute(attribute, value);
  }
  for (const child of Array.from(source.childNodes)) {
    if (child.nodeType === Node.TEXT_NODE) made.append(child.textContent ?? '');
    else if (child instanceof Element) {
      const inside = copy(child);
      if (inside) made.append(inside);
    }
  }
  return made;
}

// A formula that can be put into the page; null when the text is not one `math` element.
export function safeFormula(text: string): Element | null {
  if (text === '') return null;
  const parsed = new DOMParser().parseFromString(text, 'application/xml');
  if (parsed.getElementsByTagName('parsererror').length > 0) return null;
  const root = parsed.documentElement;
  return root.localName === 'math' ? copy(root) : null;
}
