import { useEffect } from 'react';
import { fetchDescribed } from '../state/session';
import { describedOf, levelOf, trainingOf, useLab } from '../state/store';
import { shortNumber } from '../words/numbers';
import { useWords } from '../words/words';

const HINTS = ['hintClick', 'hintHover', 'hintReplace', 'hintKeys'] as const;

// What stands here while nothing is selected: the model at a glance, and what one can do with it.
export function Overview() {
  const { t, pick, lang } = useWords();
  const training = useLab(trainingOf);
  const items = useLab((state) => levelOf(state, '')?.items);
  const whole = useLab((state) => describedOf(state, ''));
  useEffect(() => {
    if (!whole && items) void fetchDescribed('');
  }, [whole, items]);
  if (!training || !items) return <p className="soft">{t('loading')}</p>;
  const facts: [string, string][] = [
    [t('optimizer'), training.optimizer.name],
    [t('learningRate'), shortNumber(training.learning_rate, lang)],
    ...(training.datasets.length > 0 ? [[t('validationData'), training.datasets.join(', ')] as [string, string]] : []),
  ];
  return (
    <article className="inspect" data-testid="overview">
      <h2>{training.label || `#${training.id}`}</h2>
      {whole && <p className="soft">{pick(whole.what)}</p>}
      <dl className="facts one">{facts.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>
      <section><h3>{t('youCan')}</h3><ul className="hints">{HINTS.map((hint) => <li key={hint}>{t(hint)}</li>)}</ul></section>
    </article>
  );
}
