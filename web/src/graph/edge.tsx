import type { Edge, EdgeProps } from '@xyflow/react';
import { memo, type MouseEvent } from 'react';
import { placeOf, useLab } from '../state/store';
import { t } from '../words/words';
import { setHover } from './canvas_state';
import { curveThrough } from './curve';
import { useRoute } from './highlight';
import type { SceneEdge } from './scene';

export type FlowEdge = Edge<{ edge: SceneEdge }>;

// A line along the points that the layout gave, with its head. It is lit when it touches what is selected.
export const SceneEdgeLine = memo(({ data }: EdgeProps<FlowEdge>) => {
  const edge = data?.edge;
  const lit = useLab((state) => {
    const { selected } = placeOf(state);
    return edge !== undefined && ((selected !== null && (edge.from === selected || edge.to === selected)) || state.selectedValue === edge.value);
  });
  const route = useRoute();
  if (!edge) return null;
  const mark = route ? (route.edges.has(edge.id) ? 'route' : 'faded') : lit ? 'lit' : '';
  const end = edge.points.at(-1) ?? { x: 0, y: 0 };
  const path = curveThrough(edge.points);
  const up = (edge.points.at(-2)?.y ?? -Infinity) > end.y;
  const headless = edge.to.includes('#out:');
  const hover = (event: MouseEvent) => {
    const note = [edge.skips ? t('skipEdge') : '', edge.count > 1 ? t('values', { n: edge.count }) : ''].filter(Boolean).join(', ');
    setHover({ kind: 'value', path: edge.value, type: edge.type, note, x: event.clientX, y: event.clientY });
  };
  return (
    <g onMouseEnter={hover} onMouseLeave={() => setHover(null)} onClick={() => useLab.setState({ selectedValue: edge.value })}>
      <path className={`edge-line ${mark} ${edge.skips ? 'skips' : ''} ${edge.count > 1 ? 'many' : ''}`} d={path} />
      {!headless && <path className={`arrow ${mark}`} d={`M${end.x},${end.y}l-4,${up ? 7 : -7}h8z`} />}
      <path className="edge-touch" d={path} />
    </g>
  );
});
