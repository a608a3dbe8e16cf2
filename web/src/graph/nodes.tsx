import { Handle, Position, type Node, type NodeProps } from '@xyflow/react';
import { memo, type MouseEvent, type ReactNode } from 'react';
import { enter, select, toggle, unfold } from '../state/place';
import { placeOf, useLab } from '../state/store';
import { t, useWords } from '../words/words';
import { setHover, useCanvas } from './canvas_state';
import { useRoute } from './highlight';
import { nodeLabel, opBeside, shorten, shortOp, tagLabel, typeShown } from './measure';
import type { SceneNode } from './scene';

export type FlowNode = Node<{ node: SceneNode }>;

const Handles = () => (
  <>
    <Handle type="target" position={Position.Top} isConnectable={false} />
    <Handle type="source" position={Position.Bottom} isConnectable={false} />
  </>
);

const hoverNode = (node: SceneNode) => (event: MouseEvent) =>
  setHover({ kind: 'node', path: node.path, type: typeShown(node.item), note: '', x: event.clientX, y: event.clientY });

function useClasses(node: SceneNode): string {
  const selected = useLab((state) => placeOf(state).selected === node.path);
  const alarm = useLab((state) => state.alarm !== null && state.alarm.view === state.view && state.alarm.path === node.path);
  const route = useRoute();
  const flags = node.item?.flags ?? [];
  return [
    'node', node.kind, node.item?.role ?? '', flags.includes('frozen') ? 'frozen' : '', flags.includes('output') ? 'output' : '',
    (node.item?.folded ?? 1) > 1 && node.kind === 'item' ? 'folded' : '', selected ? 'selected' : '', alarm ? 'alarm' : '',
    route && !route.nodes.has(node.id) && node.kind !== 'box' ? 'faded' : '',
  ].filter(Boolean).join(' ');
}

function Shell({ node, children }: { node: SceneNode; children: ReactNode }) {
  const openMenu = (event: MouseEvent) => {
    event.preventDefault();
    select(node.path);
    useLab.setState({ menu: { path: node.path, x: event.clientX, y: event.clientY } });
  };
  return (
    <div className={useClasses(node)} data-category={node.item?.category || 'other'} data-path={node.path} onContextMenu={openMenu}>
      <Handles />
      {children}
    </div>
  );
}

function MainButton({ node, children }: { node: SceneNode; children: ReactNode }) {
  const selected = useLab((state) => placeOf(state).selected === node.path);
  const label = [node.name, shortOp(node.item?.op ?? ''), typeShown(node.item)].filter(Boolean).join(', ');
  return (
    <button type="button" className="main" aria-label={label} aria-pressed={selected} tabIndex={selected ? 0 : -1} title={nodeLabel(node.name) === node.name ? undefined : node.name}
      onClick={() => select(node.path)} onDoubleClick={() => node.item?.opens && openItem(node)}
      onMouseEnter={hoverNode(node)} onMouseLeave={() => setHover(null)}>
      {children}
    </button>
  );
}

export function openItem(node: SceneNode): void {
  useCanvas.setState({ anchor: node.path });
  toggle(node.path);
}

export const ItemNode = memo(({ data: { node } }: NodeProps<FlowNode>) => {
  const { t } = useWords();
  const folded = node.item?.folded ?? 1;
  return (
    <Shell node={node}>
      <div className="face">
        <MainButton node={node}>
          <span className="name">{nodeLabel(node.name)}{folded > 1 && <span className="times"> ×{folded}</span>}<span className="op">{node.item ? opBeside(node.item) : ''}</span></span>
          {node.lines.map((line) => <span className="line" key={line}>{line}</span>)}
        </MainButton>
      </div>
      {node.item?.opens && (
        <button type="button" className="open" tabIndex={-1} aria-label={`${t('expand')}: ${node.name}`} title={t('expand')} onClick={() => openItem(node)}>▸</button>
      )}
    </Shell>
  );
});

export const BoxNode = memo(({ data: { node } }: NodeProps<FlowNode>) => {
  const { t } = useWords();
  const folded = node.item?.folded ?? 1;
  return (
    <Shell node={node}>
      <div className="face" />
      <div className="title">
        <MainButton node={node}>
          <span className="name">{nodeLabel(node.name)}{folded > 1 && <span className="times"> ×{folded}</span>}</span>
          <span className="line">{shorten(shortOp(node.item?.op ?? ''), 11)}</span>
        </MainButton>
        {folded > 1 && (
          <button type="button" className="open" tabIndex={-1} aria-label={t('unfold', { n: folded })} title={t('unfold', { n: folded })} onClick={() => unfold(node.item?.repeats?.of ?? node.path, true)}>⋯</button>
        )}
        <button type="button" className="open" tabIndex={-1} aria-label={`${t('enter')}: ${node.name}`} title={t('enter')} onClick={() => enter(node.path)}>⤢</button>
        <button type="button" className="open" tabIndex={-1} aria-label={`${t('collapse')}: ${node.name}`} title={t('collapse')} onClick={() => openItem(node)}>▾</button>
      </div>
    </Shell>
  );
});

const hoverValue = (node: SceneNode) => (event: MouseEvent) =>
  setHover({ kind: 'value', path: node.value ?? '', type: node.type ?? '', note: node.id.includes('#tag:') ? `${node.name}: ${t('portal')}` : node.name, x: event.clientX, y: event.clientY });

export const PortNode = memo(({ data: { node } }: NodeProps<FlowNode>) => (
  <div className="port" onMouseEnter={hoverValue(node)} onMouseLeave={() => setHover(null)}><Handles /></div>
));

export const TagNode = memo(({ data: { node } }: NodeProps<FlowNode>) => {
  const lit = useLab((state) => state.selectedValue !== null && state.selectedValue === node.value);
  const arrow = node.id.includes('#out:') || node.id.endsWith('→') ? '▸' : '';
  return (
    <button type="button" tabIndex={-1} className={`tag${lit ? ' lit' : ''}`} onMouseEnter={hoverValue(node)} onMouseLeave={() => setHover(null)}
      onClick={() => useLab.setState({ selectedValue: lit ? null : (node.value ?? null) })}>
      <Handles />
      {arrow === '' ? `▸ ${tagLabel(node.name)}` : `${tagLabel(node.name)} ${arrow}`}
    </button>
  );
});
