import { useEffect } from 'react';
import { replaceOp, reset, setTrainable, usualFirst } from '../change/edits';
import { show, showValue } from '../shell/show';
import { shortOp } from '../graph/measure';
import { switchView } from '../state/place';
import { fetchDescribed } from '../state/session';
import { describedOf, isInLayer, placeOf, trainingOf, useLab } from '../state/store';
import type { Described } from '../wire/types';
import { countText } from '../words/numbers';
import { isKey, useWords } from '../words/words';
import { Attributes } from './attributes';
import { Formula } from './formula';
import { LiteralEditor } from './literal';
import { LiveStatistics } from './statistics';
import { TensorView } from './tensor_view';

function Ports({ described }: { described: Described }) {
  const { t } = useWords();
  return (
    <>
      {described.inputs.length > 0 && <section><h3>{t('inputs')}</h3><ul>
        {described.inputs.map(({ name, from, value, type }) => (
          <li key={`${name} ${value}`}><strong>{name}</strong> <code>{type}</code>{' '}
            {from !== null && <button type="button" className="link" onClick={() => void showValue(from)}>{from}</button>}</li>
        ))}</ul></section>}
      <section><h3>{t('outputs')}</h3><ul>
        {described.outputs.map(({ name, value, type, to, output_as: as }) => (
          <li key={value}><strong>{name}</strong> <code>{type}</code> {as !== undefined && <span className="chip accent">{t('outputAs', { name: as })}</span>}{' '}
            {to.slice(0, 6).map((path) => <span key={path}><button type="button" className="link" onClick={() => void show(path)}>{path}</button> </span>)}
            {to.length > 6 && <span className="soft">{t('usedBy', { n: to.length })}</span>}</li>
        ))}</ul></section>
    </>
  );
}

function Weights({ described, disabled }: { described: Described; disabled: boolean }) {
  const { t, pick, lang } = useWords();
  const { variables, path } = described;
  if (variables.length === 0) return null;
  const frozen = variables.every(({ trainable }) => !trainable);
  return (
    <section><h3>{t('weights')}</h3>
      <ul>{variables.slice(0, 12).map((variable) => (
        <li key={variable.name}><code>{variable.name}</code> <code className="soft">{variable.type}</code>{' '}
          <span className={variable.trainable ? 'chip' : 'chip accent'}>{variable.trainable ? t('trainable') : t('frozen')}</span>
          <br /><span className="soft">{pick(variable.role)}{variable.role ? ' · ' : ''}{countText(variable.count, lang)}</span></li>
      ))}</ul>
      {variables.length > 12 && <p className="soft">{t('searchMore', { n: variables.length - 12 })}</p>}
      <div className="row">
        <button type="button" className="button" disabled={disabled} onClick={() => void setTrainable(variables.map(({ name }) => name), frozen)}>{frozen ? t('unfreeze') : t('freeze')}</button>
        <button type="button" className="button" disabled={disabled} onClick={() => void reset([path])}>{t('resetLayer')}</button>
      </div>
    </section>
  );
}

function Replace({ described, disabled }: { described: Described; disabled: boolean }) {
  const { t, pick } = useWords();
  if (described.replacements.length === 0) return described.why_not ? <section><h3>{t('replace')}</h3><p className="soft">{pick(described.why_not)}</p></section> : null;
  return (
    <section><h3>{t('replaceBy')}</h3><div className="row">
      {usualFirst(described.replacements).map(({ op, title }) => (
        <button type="button" className="button" key={op} disabled={disabled} onClick={() => void replaceOp(described.path, op)}>{shortOp(pick(title))}</button>
      ))}
    </div></section>
  );
}

function Words({ described }: { described: Described }) {
  const { t, pick } = useWords();
  return (
    <>
      {described.role && <section><h3>{t('role')}</h3><p>{pick(described.role)}</p></section>}
      {pick(described.what) !== '' && <section><h3>{t('what')}</h3><p>{pick(described.what)}</p></section>}
      {described.formula_text !== '' && <section><h3>{t('formula')}</h3><Formula mathml={described.formula} text={described.formula_text} /></section>}
      {pick(described.why) !== '' && <section><h3>{t('why')}</h3><p>{pick(described.why)}</p></section>}
    </>
  );
}

// All that is known about the selected node, and all that can be done with it.
export function NodePanel() {
  const { t, pick } = useWords();
  const selected = useLab((state) => placeOf(state).selected);
  const described = useLab((state) => (selected === null ? undefined : describedOf(state, selected)));
  const view = useLab((state) => state.view);
  const readOnly = useLab((state) => state.readOnly || state.status !== 'open' || trainingOf(state)?.state === 'stopped');
  const insideLayer = useLab((state) => selected !== null && isInLayer(state, selected));
  useEffect(() => {
    if (selected !== null && !described) void fetchDescribed(selected);
  }, [selected, described]);
  if (selected === null) return <p className="soft">{t('nothingSelected')}</p>;
  if (!described) return <p className="soft">{t('loading')}</p>;
  const editable = view === 'model';
  const disabled = readOnly || !editable;
  const category = `cat_${described.category || 'other'}`;
  const value = described.outputs[0]?.value;
  const live = view === 'model' || view === 'expanded';
  return (
    <article className="inspect" data-testid="inspector" data-path={described.path}>
      <h2>{selected.slice(selected.lastIndexOf('/') + 1)}</h2>
      <p className="row" data-category={described.category || 'other'}><span className="dot" /><strong>{shortOp(pick(described.title))}</strong>
        <span className="soft">{isKey(category) ? t(category) : ''}</span>
        {described.flags.map((flag) => { const key = `flag_${flag}`; return isKey(key) ? <span className="chip accent" key={flag}>{t(key)}</span> : null; })}</p>
      <p className="soft mono">{described.path}</p>
      {described.repeats && <p className="soft">{t('repeatsOf', { n: described.repeats.count })}</p>}
      {!editable && <p className="row"><span className="soft">{t('notHere')}</span> <button type="button" className="link" onClick={() => void switchView('model')}>{t('goToModel')}</button></p>}
      {described.literal && <section><h3>{t('literal')} <code>{described.literal.type}</code></h3><LiteralEditor path={described.path} literal={described.literal} disabled={disabled || insideLayer} />{insideLayer && <p className="soft">{t('insideLayer')}</p>}</section>}
      {editable && <Replace described={described} disabled={disabled} />}
      {live && value !== undefined && <section><h3>{t('liveValues')}</h3><LiveStatistics value={value} /><TensorView value={value} /></section>}
      <Words described={described} />
      <Ports described={described} />
      {described.attributes.length > 0 && <section><h3>{t('attributes')}</h3><Attributes path={described.path} attributes={described.attributes} disabled={disabled} /></section>}
      <Weights described={described} disabled={disabled} />
      {described.origins && described.origins.length > 0 && view !== 'model' && <section><h3>{t('origins')}</h3><ul>{described.origins.map((path) => <li key={path}><code>{path}</code></li>)}</ul></section>}
      {described.where !== undefined && <section><h3>{t('where')}</h3><code>{described.where}</code></section>}
    </article>
  );
}
