import { useEffect, useState } from 'react';
import { setConfig } from '../change/edits';
import type { Attribute } from '../wire/types';
import { typedNumber } from '../words/numbers';
import { Prose } from '../words/prose';
import { useWords } from '../words/words';

const shown = (value: Attribute['value']): string => (value === null ? '' : Array.isArray(value) ? value.join(', ') : String(value));

function NumberField({ path, attribute, disabled }: { path: string; attribute: Attribute; disabled: boolean }) {
  const { t } = useWords();
  const [typed, setTyped] = useState(shown(attribute.value));
  useEffect(() => setTyped(shown(attribute.value)), [attribute.value]);
  const value = typedNumber(typed);
  const good = value !== null && value >= (attribute.least ?? -Infinity) && value <= (attribute.most ?? Infinity) && (attribute.kind !== 'integer' || Number.isInteger(value));
  return (
    <form className="row" onSubmit={(event) => { event.preventDefault(); if (good) void setConfig(path, attribute.name, value); }}>
      <input className="field short" aria-label={attribute.name} value={typed} disabled={disabled} aria-invalid={!good} onChange={(event) => setTyped(event.target.value)} />
      <button type="submit" className="button" disabled={disabled || !good || typed === shown(attribute.value)}>{t('set')}</button>
    </form>
  );
}

function Field({ path, attribute, disabled }: { path: string; attribute: Attribute; disabled: boolean }) {
  const { name, kind, value, choices } = attribute;
  if (kind === 'boolean') {
    return <input type="checkbox" aria-label={name} checked={value === true} disabled={disabled} onChange={(event) => void setConfig(path, name, event.target.checked)} />;
  }
  if (kind === 'text' && choices) {
    return (
      <select className="field" aria-label={name} value={shown(value)} disabled={disabled} onChange={(event) => void setConfig(path, name, event.target.value)}>
        {choices.map((choice) => <option key={choice}>{choice}</option>)}
      </select>
    );
  }
  if (kind === 'number' || kind === 'integer') return <NumberField path={path} attribute={attribute} disabled={disabled} />;
  return <code>{shown(value)}</code>;
}

// Settings whose change keeps all shapes can be changed here; the others say why not.
export function Attributes({ path, attributes, disabled }: { path: string; attributes: Attribute[]; disabled: boolean }) {
  const { t, pick } = useWords();
  return (
    <ul>
      {attributes.map((attribute) => (
        <li className="attribute" key={attribute.name}>
          <strong>{attribute.name}</strong>
          {attribute.keeps_shape ? <Field path={path} attribute={attribute} disabled={disabled} /> : <code title={t('changesShape')}>{shown(attribute.value) || t('none')}</code>}
          <span className="words"><Prose text={pick(attribute.words)} /></span>
        </li>
      ))}
    </ul>
  );
}
