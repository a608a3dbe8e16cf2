import { shorten } from '../graph/measure';
import { show, showValue } from '../shell/show';
import type { Described } from '../wire/types';
import { useWords } from '../words/words';

const FEW = 6;
const WIDEST = 600;

// Where its inputs come from and who uses its outputs, as links.
export function Ports({ described }: { described: Described }) {
  const { t } = useWords();
  return (
    <>
      {described.inputs.length > 0 && <section><h3>{t('inputs')}</h3><ul>
        {described.inputs.map(({ name, from, value, type }) => (
          <li key={`${name} ${value}`}><strong>{name}</strong> <code>{type}</code>{' '}
            {from !== null && <button type="button" className="link" onClick={() => void showValue(from)}>{shorten(from, 13, 400, WIDEST)}</button>}</li>
        ))}</ul></section>}
      {described.outputs.length > 0 && <section><h3>{t('outputs')}</h3><ul>
        {described.outputs.map(({ name, value, type, to, output_as: as }) => (
          <li key={value}><strong>{name}</strong> <code>{type}</code> {as !== undefined && <span className="chip accent">{t('outputAs', { name: as })}</span>}{' '}
            {to.slice(0, FEW).map((path) => <span key={path}><button type="button" className="link" onClick={() => void show(path)}>{shorten(path, 13, 400, WIDEST)}</button> </span>)}
            {to.length > FEW && <span className="soft">{t('usedBy', { n: to.length })}</span>}</li>
        ))}</ul></section>}
    </>
  );
}
