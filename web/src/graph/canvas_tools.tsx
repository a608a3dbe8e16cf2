import { useReactFlow } from '@xyflow/react';
import { Icon } from '../shell/icon';
import { placeOf, useLab } from '../state/store';
import { useWords } from '../words/words';
import { bringIntoSight, fitAll } from './canvas_state';

export function CanvasTools() {
  const { t } = useWords();
  const flow = useReactFlow();
  const selected = useLab((state) => placeOf(state).selected);
  const showPath = useLab((state) => state.showPath);
  return (
    <div className="canvas-tools" role="toolbar" aria-label={t('canvas')} aria-orientation="vertical">
      <button type="button" className="button icon" title={t('zoomIn')} aria-label={t('zoomIn')} onClick={() => void flow.zoomIn()}><Icon name="plus" /></button>
      <button type="button" className="button icon" title={t('zoomOut')} aria-label={t('zoomOut')} onClick={() => void flow.zoomOut()}><Icon name="minus" /></button>
      <button type="button" className="button icon" title={t('fit')} aria-label={t('fit')} onClick={fitAll}><Icon name="fit" /></button>
      <button type="button" className="button icon" title={t('center')} aria-label={t('center')} disabled={selected === null} onClick={() => selected !== null && bringIntoSight(selected)}><Icon name="target" /></button>
      <button type="button" className="button icon" title={t('showPath')} aria-label={t('showPath')} aria-pressed={showPath} disabled={selected === null}
        onClick={() => useLab.setState({ showPath: !showPath })}><Icon name="path" /></button>
    </div>
  );
}
