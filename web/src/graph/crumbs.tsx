import type { ReactNode } from 'react';
import { ancestorsOf, enter } from '../state/place';
import { placeOf, useLab } from '../state/store';
import { useWords } from '../words/words';
import { shorten } from './measure';

export function Crumbs({ children }: { children?: ReactNode }) {
  const { t } = useWords();
  const root = useLab((state) => placeOf(state).root);
  const scopes = root === '' ? [] : [...ancestorsOf(root), root];
  const name = (scope: string) => (scope === '' ? t('wholeModel') : shorten(scope.slice(scope.lastIndexOf('/') + 1), 13, 600, 180));
  return (
    <nav className="crumbs" aria-label={t('breadcrumbs')}>
      <ol className="grow">
        {['', ...scopes].map((scope) => (
          <li key={scope}>
            {scope === root ? <span aria-current="location" title={scope}>{name(scope)}</span> : <button type="button" className="link" onClick={() => enter(scope)}>{name(scope)}</button>}
          </li>
        ))}
      </ol>
      {children}
    </nav>
  );
}
