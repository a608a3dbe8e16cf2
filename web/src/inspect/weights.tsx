import { isFrozen, parametersOf, reset, setTrainable } from '../change/edits';
import type { Described } from '../wire/types';
import { countText } from '../words/numbers';
import { useWords } from '../words/words';

const FEW = 12;

// The weights of a layer with their roles; they can be frozen, and given their initial values again.
export function Weights({ described, disabled }: { described: Described; disabled: boolean }) {
  const { t, pick, lang } = useWords();
  const { variables, path } = described;
  if (variables.length === 0) return null;
  const frozen = isFrozen(described);
  const hasParameters = parametersOf(described).length > 0;
  return (
    <section><h3>{t('weights')}</h3>
      <ul>{variables.slice(0, FEW).map((variable) => (
        <li key={variable.name}><code>{variable.name}</code> <code className="soft">{variable.type}</code>{' '}
          {variable.kind === 'parameter' && <span className={variable.trainable ? 'chip' : 'chip accent'}>{variable.trainable ? t('trainable') : t('frozen')}</span>}
          <br /><span className="soft">{pick(variable.role)}{variable.role ? ' · ' : ''}{countText(variable.count, lang)}</span></li>
      ))}</ul>
      {variables.length > FEW && <p className="soft">{t('searchMore', { n: variables.length - FEW })}</p>}
      <div className="row">
        {hasParameters && <button type="button" className="button" disabled={disabled} onClick={() => void setTrainable(described, frozen)}>{frozen ? t('unfreeze') : t('freeze')}</button>}
        <button type="button" className="button" disabled={disabled} onClick={() => void reset([path])}>{t('resetLayer')}</button>
      </div>
    </section>
  );
}
