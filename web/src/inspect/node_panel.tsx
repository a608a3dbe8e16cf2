import { useEffect } from 'react';
import { shorten, shortOp } from '../graph/measure';
import { switchView } from '../state/place';
import { useModelValue } from '../state/origin';
import { pathOfValue } from '../state/readings';
import { fetchDescribed } from '../state/session';
import { describedOf, itemOf, placeOf, trainingOf, useLab } from '../state/store';
import type { Described } from '../wire/types';
import { Prose } from '../words/prose';
import { isKey, useWords } from '../words/words';
import { Attributes } from './attributes';
import { Formula } from './formula';
import { LiteralEditor } from './literal';
import { Overview } from './overview';
import { Ports } from './ports';
import { Replace } from './replace';
import { LiveStatistics } from './statistics';
import { Weights } from './weights';

// Its name, op and category, and where it is.
function Head({ described }: { described: Described }) {
  const { t, pick } = useWords();
  const own = described.path.slice(described.path.lastIndexOf('/') + 1);
  const name = useLab((state) => itemOf(state, described.path)?.name ?? own);
  const category = `cat_${described.category || 'other'}`;
  const title = shortOp(pick(described.title));
  const op = shortOp(described.op);
  return (
    <header>
      <h2 title={name}>{shorten(name, 15, 600, 900)}</h2>
      <p className="row" data-category={described.category || 'other'}><span className="dot" />{title !== name && <strong>{title}</strong>}
        {op !== '' && op !== title && <code>{op}</code>}
        <span className="soft">{isKey(category) ? t(category) : ''}</span>
        {described.flags.map((flag) => { const key = `flag_${flag}`; return isKey(key) ? <span className="chip accent" key={flag}>{t(key)}</span> : null; })}</p>
      {described.path !== name && <p className="soft mono">{described.path}</p>}
      {described.repeats && <p className="soft">{t('repeatsOf', { n: described.repeats.count })}</p>}
    </header>
  );
}

function Meaning({ described }: { described: Described }) {
  const { t, pick } = useWords();
  return (
    <>
      {described.role && <section><h3>{t('role')}</h3><p>{pick(described.role)}</p></section>}
      {pick(described.what) !== '' && <section><h3>{t('what')}</h3><p><Prose text={pick(described.what)} /></p></section>}
    </>
  );
}

function Reasons({ described }: { described: Described }) {
  const { t, pick } = useWords();
  return (
    <>
      {described.formula_text !== '' && <section><h3>{t('formula')}</h3><Formula mathml={described.formula} text={described.formula_text} /></section>}
      {pick(described.why) !== '' && <section><h3>{t('why')}</h3><p><Prose text={pick(described.why)} /></p></section>}
    </>
  );
}

// What flows here. In a view that was made from the model it is read there, and a scope stands for many values.
function Live({ described }: { described: Described }) {
  const { t } = useWords();
  const stands = useLab((state) => state.view !== 'model' && state.view !== 'expanded' && (itemOf(state, described.path)?.opens ?? true));
  const value = stands ? null : (described.outputs[0]?.value ?? null);
  const read = useModelValue(value);
  if (read === null) return null;
  return (
    <section><h3>{t('liveValues')}</h3>
      {read !== value && <p className="soft">{t('inModel', { name: pathOfValue(read) })}</p>}
      <LiveStatistics value={read} isInput={described.flags.includes('input')} />
    </section>
  );
}

// All that is known about the selected node, and all that can be done with it: what it is, what can be changed, what
// flows through it now, and then the rest.
export function NodePanel() {
  const { t, pick } = useWords();
  const selected = useLab((state) => placeOf(state).selected);
  const described = useLab((state) => (selected === null ? undefined : describedOf(state, selected)));
  const view = useLab((state) => state.view);
  const readOnly = useLab((state) => state.readOnly || state.status !== 'open' || trainingOf(state)?.state === 'stopped');
  useEffect(() => {
    if (selected !== null && !described) void fetchDescribed(selected);
  }, [selected, described]);
  if (selected === null) return <Overview />;
  if (!described) return <p className="soft">{t('loading')}</p>;
  const { path, literal, attributes, origins, where } = described;
  const editable = view === 'model';
  const disabled = readOnly || !editable;
  return (
    <article className="inspect" data-testid="inspector" data-path={path}>
      <Head described={described} />
      {!editable && <p className="row"><span className="soft">{t('notHere')}</span> <button type="button" className="link" onClick={() => void switchView('model')}>{t('goToModel')}</button></p>}
      <Meaning described={described} />
      {literal && <section><h3>{t('literal')} <code>{literal.type}</code></h3><LiteralEditor path={path} literal={literal} disabled={disabled} /></section>}
      {editable && <Replace described={described} disabled={disabled} />}
      {!literal && <Live described={described} />}
      <Reasons described={described} />
      <Ports described={described} />
      {attributes.length > 0 && <section><h3>{t('attributes')}</h3><Attributes path={path} attributes={attributes} disabled={disabled} /></section>}
      <Weights described={described} disabled={disabled} />
      {editable && described.replacements.length === 0 && described.why_not && <section><h3>{t('replace')}</h3><p className="soft">{pick(described.why_not)}</p></section>}
      {origins && origins.length > 0 && view !== 'model' && <section><h3>{t('origins')}</h3><ul>{origins.map((each) => <li key={each}><code>{each}</code></li>)}</ul></section>}
      {where !== undefined && <section><h3>{t('where')}</h3><code>{where}</code></section>}
    </article>
  );
}
