import { useEffect, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { levelKey, useLab } from '../state/store';
import { useCanvas } from './canvas_state';
import { byWorker, memoised, type LayOut } from './layout_client';
import { composeScene, type Scene } from './scene';

let layOut: LayOut | null = null;

// The scene of the view that is shown; the last one stays until the next is ready.
export function useScene(): Scene | null {
  const { view, current, levels, badges, lang } = useLab(useShallow((state) => ({ view: state.view, current: state.current, levels: state.levels, badges: state.badges, lang: state.lang })));
  const costs = useLab((state) => (state.badges.time || state.badges.memory ? state.costs[state.current] : undefined));
  const place = useLab((state) => state.places[state.view]);
  const { root, expanded, unfolded } = place;
  const [scene, setScene] = useState<{ key: string; scene: Scene } | null>(null);
  const key = `${current}|${view}`;

  useEffect(() => {
    let outdated = false;
    layOut ??= memoised(byWorker());
    const levelAt = (scope: string) => levels[levelKey(current, view, scope)];
    void composeScene({ root, levelAt, expanded, unfolded, badges, lang, costs }, layOut).then((made) => {
      if (outdated || !made) return;
      setScene({ key, scene: made });
      useCanvas.setState({ scene: made });
    });
    return () => {
      outdated = true;
    };
  }, [key, current, view, levels, root, expanded, unfolded, badges, lang, costs]);

  return scene && scene.key === key ? scene.scene : null;
}
