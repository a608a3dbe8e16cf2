import { useLab } from '../state/store';
import { isKey, useWords } from '../words/words';
import { useCanvas } from './canvas_state';

// The categories that are in sight, with their colours.
export function Legend() {
  const { t } = useWords();
  const shown = useLab((state) => state.panels.legend);
  const scene = useCanvas((state) => state.scene);
  if (!shown || !scene) return null;
  const categories = [...new Set(scene.nodes.flatMap(({ item }) => (item ? [item.category || 'other'] : [])))].sort();
  return (
    <ul className="legend floating" aria-label={t('legend')}>
      {categories.map((category) => {
        const key = `cat_${category}`;
        return <li key={category} data-category={category}><span className="dot" />{isKey(key) ? t(key) : category}</li>;
      })}
      <li><svg width="22" height="8" aria-hidden="true"><path className="edge-line skips" d="M0,4H22" /></svg>{t('skipEdge')}</li>
    </ul>
  );
}
