import { Component, lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { t } from '../words/words';

const loads: (() => Promise<unknown>)[] = [];

// A part of the page that is not needed for its first picture and comes as a file of its own.
export function later(load: () => Promise<ComponentType>, waiting: ReactNode = null): ComponentType {
  loads.push(load);
  const Part = lazy(async () => ({ default: await load() }));
  return () => <Guard><Suspense fallback={waiting}><Part /></Suspense></Guard>;
}

// Fetches all such parts once the page stands, so that none is missing when the connection goes.
export function fetchParts(): void {
  loads.forEach((load) => void load().catch(() => undefined)); // whoever needs it will ask again, and say so
}

// Where a part could not be had, the rest of the page goes on.
class Guard extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return <p className="missing" role="alert">{t('partMissing')} <button type="button" className="button" onClick={() => window.location.reload()}>{t('reload')}</button></p>;
  }
}
