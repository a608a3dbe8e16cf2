import { NodeMenu } from '../change/menu';
import { Charts } from '../charts/charts';
import { Canvas } from '../graph/canvas';
import { HoverCard } from '../graph/hover_card';
import { PlanView } from '../plan/plan_view';
import { useLab } from '../state/store';
import { useWords } from '../words/words';
import { Banners, Notices } from './banners';
import { Dialogs } from './dialogs';
import { useKeys } from './keys';
import { Outline } from './outline';
import { Side } from './side';
import { useRootAttributes } from './theme';
import { TopBar } from './top_bar';
import { ViewBar } from './view_bar';

export function App() {
  const { t } = useWords();
  const panels = useLab((state) => state.panels);
  const view = useLab((state) => state.view);
  useRootAttributes();
  useKeys();
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
      <Dialogs />
    </div>
  );
}
