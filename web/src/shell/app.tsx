import { useEffect } from 'react';
import { NodeMenu } from '../change/menu';
import { Canvas } from '../graph/canvas';
import { HoverCard } from '../graph/hover_card';
import { useCosts } from '../state/costs';
import { useLab } from '../state/store';
import { useWords } from '../words/words';
import { Banners, Notices } from './banners';
import { useKeys } from './keys';
import { fetchParts, later } from './later';
import { Outline } from './outline';
import { Side } from './side';
import { useRootAttributes } from './theme';
import { TopBar } from './top_bar';
import { ViewBar } from './view_bar';

const Charts = later(() => import('../charts/charts').then((part) => part.Charts), <section className="charts" aria-hidden="true"><header><span className="button" /></header><div className="plots" /></section>);
const PlanView = later(() => import('../plan/plan_view').then((part) => part.PlanView));
const Dialogs = later(() => import('./dialogs').then((part) => part.Dialogs));

export function App() {
  const { t } = useWords();
  const panels = useLab((state) => state.panels);
  const view = useLab((state) => state.view);
  const asks = useLab((state) => state.dialog !== null);
  const ready = useLab((state) => Object.keys(state.levels).length > 0);
  useRootAttributes();
  useKeys();
  useCosts();
  useEffect(() => {
    if (ready) fetchParts();
  }, [ready]);
  return (
    <div className="app">
      <TopBar />
      <Banners />
      <div className="middle">
        {panels.outline ? <Outline /> : <span />}
        <main className="canvas" aria-label={t('canvas')}>
          <ViewBar />
          {view === 'plan' ? <PlanView /> : <Canvas />}
          <NodeMenu />
        </main>
        {panels.inspector ? <Side /> : <span />}
      </div>
      {panels.charts && <Charts />}
      <Notices />
      <HoverCard />
      {asks && <Dialogs />}
    </div>
  );
}
