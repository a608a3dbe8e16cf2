import { useEffect, useRef, type ReactNode } from 'react';
import { useLab } from '../state/store';
import { useWords } from '../words/words';

export const closeDialog = () => useLab.setState({ dialog: null });

// A modal dialog of the browser: it keeps the focus inside and gives it back.
export function Dialog({ title, className = '', head = true, children }: { title: string; className?: string; head?: boolean; children: ReactNode }) {
  const { t } = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const node = dialog.current;
    node?.showModal();
    return () => node?.close();
  }, []);
  return (
    <dialog ref={dialog} className={className} aria-label={title} onClose={closeDialog} onClick={(event) => { if (event.target === event.currentTarget) closeDialog(); }}>
      {head && <header><h2>{title}</h2><button type="button" className="button quiet" onClick={closeDialog}>{t('close')}</button></header>}
      <div className="content">{children}</div>
    </dialog>
  );
}
