import { isUsual, replaceOp, usualFirst } from '../change/edits';
import { shortOp } from '../graph/measure';
import type { Described } from '../wire/types';
import { useWords } from '../words/words';

// The ops that may take its place: those that people look for at once, the others on demand.
export function Replace({ described, disabled }: { described: Described; disabled: boolean }) {
  const { t, pick } = useWords();
  const all = usualFirst(described.replacements);
  if (all.length === 0) return null;
  const usual = all.some(({ op }) => isUsual(op)) ? all.filter(({ op }) => isUsual(op)) : all;
  const others = all.filter((each) => !usual.includes(each));
  const button = ({ op, title }: (typeof all)[number]) => (
    <button type="button" className="button" key={op} title={pick(title)} disabled={disabled} onClick={() => void replaceOp(described.path, op)}>{shortOp(op)}</button>
  );
  return (
    <section><h3>{t('replaceBy')}</h3>
      <div className="row">{usual.map(button)}</div>
      {others.length > 0 && <details><summary>{t('moreOps', { n: others.length })}</summary><div className="row">{others.map(button)}</div></details>}
    </section>
  );
}
