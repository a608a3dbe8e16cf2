import { MiniMap, ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react';
import { useEffect, useMemo, useRef } from 'react';
import { select } from '../state/place';
import { placeOf, useLab } from '../state/store';
import { useWords } from '../words/words';
import { isInSight, keepInPlace } from './anchor';
import { useCanvas } from './canvas_state';
import { CanvasTools } from './canvas_tools';
import { SceneEdgeLine, type FlowEdge } from './edge';
import { Route } from './highlight';
import { Legend } from './legend';
import { BoxNode, ItemNode, PortNode, TagNode, type FlowNode } from './nodes';
import { routeThrough } from './route';
import type { Scene } from './scene';
import { useScene } from './use_scene';

const nodeTypes = { item: ItemNode, box: BoxNode, port: PortNode, tag: TagNode };
const edgeTypes = { scene: SceneEdgeLine };

const flowNodes = (scene: Scene): FlowNode[] =>
  scene.nodes.map((node) => ({
    id: node.id, type: node.kind, position: { x: node.box.x, y: node.box.y }, width: node.box.width, height: node.box.height,
    zIndex: node.depth * 10 + (node.kind === 'box' ? 0 : node.kind === 'port' ? 3 : 2), data: { node },
  }));

const flowEdges = (scene: Scene): FlowEdge[] =>
  scene.edges.map((edge) => ({ id: edge.id, type: 'scene', source: edge.from, target: edge.to, zIndex: edge.depth * 10 + 1, data: { edge } }));

const heightOf = (scene: Scene, id: string): number | undefined => scene.nodes.find((node) => node.id === id)?.box.height;

// On the map an opened box is a frame, so that what it holds can be seen.
const categoryOf = ({ data: { node } }: FlowNode): string => `var(--c-${node.item?.category || 'other'})`;
const mapColour = (node: FlowNode): string => (node.type === 'box' ? 'transparent' : categoryOf(node));
const mapLine = (node: FlowNode): string => (node.type === 'box' ? categoryOf(node) : 'transparent');

// So few are drawn once and then only moved. Of more only those in sight, which come and go as one pans and zooms.
const FEW = 300;
const READABLE = 0.6;
const FIT = { padding: 0.08, maxZoom: 1, duration: 0 };

// All of it, or where it would be too small to read, its beginning.
async function showReadably(flow: ReturnType<typeof useReactFlow>, scene: Scene): Promise<void> {
  await flow.fitView(FIT);
  const { zoom } = flow.getViewport();
  const pane = document.querySelector('.flow');
  if (zoom >= READABLE || !pane) return;
  const left = scene.nodes.reduce((least, { box }) => Math.min(least, box.x), Infinity);
  const right = scene.nodes.reduce((most, { box }) => Math.max(most, box.x + box.width), -Infinity);
  await flow.setViewport({ zoom: READABLE, x: pane.clientWidth / 2 - ((left + right) / 2) * READABLE, y: 16 });
}

// Moves the view when the scene changes: to all of it when it is another one, else so that what one looks at stays.
function useSteadyView(scene: Scene | null): void {
  const flow = useReactFlow();
  const shown = useRef<Scene | null>(null);
  const where = useLab((state) => `${state.current}|${state.view}|${placeOf(state).root}`);
  const shownWhere = useRef('');
  const fits = useCanvas((state) => state.fits);
  const focus = useCanvas((state) => state.focus);

  useEffect(() => {
    if (!scene) return;
    const before = shown.current;
    shown.current = scene;
    if (!before || shownWhere.current !== where || before.root !== scene.root) {
      shownWhere.current = where;
      requestAnimationFrame(() => void showReadably(flow, scene));
      return;
    }
    const { anchor } = useCanvas.getState();
    const { selected } = placeOf(useLab.getState());
    const pane = document.querySelector('.flow') ?? document.body;
    const anchors = selected !== null && isInSight(before, selected, flow.getViewport(), pane) ? [selected, anchor] : [anchor, selected];
    // An opened box gets its size when its level has come; until then it stays the anchor.
    if (anchor !== null && heightOf(before, anchor) !== heightOf(scene, anchor)) useCanvas.setState({ anchor: null });
    const middle = flow.screenToFlowPosition({ x: window.innerWidth / 2, y: window.innerHeight / 2 });
    void flow.setViewport(keepInPlace(before, scene, flow.getViewport(), anchors, middle));
  }, [scene, where, flow]);

  useEffect(() => {
    if (fits > 0) void flow.fitView(FIT);
  }, [fits, flow]);

  useEffect(() => {
    const node = focus === null ? undefined : scene?.nodes.find(({ id }) => id === focus);
    if (!node) return;
    useCanvas.setState({ focus: null });
    const { x, y, width, height } = node.box;
    const room = (document.querySelector('.flow')?.clientWidth ?? 800) * 0.94;
    // Near enough to read; an opened box as a whole, where that can be.
    const zoom = Math.max(Math.min(1, Math.max(0.8, flow.getZoom()), room / width), READABLE);
    requestAnimationFrame(() => void flow.setCenter(x + width / 2, y + Math.min(height, 300) / 2, { zoom }));
  }, [focus, scene, flow]);
}

function Flow() {
  const scene = useScene();
  const { t } = useWords();
  useSteadyView(scene);
  const nodes = useMemo(() => (scene ? flowNodes(scene) : []), [scene]);
  const edges = useMemo(() => (scene ? flowEdges(scene) : []), [scene]);
  const selected = useLab((state) => placeOf(state).selected);
  const showPath = useLab((state) => state.showPath);
  const route = useMemo(() => (scene && showPath && selected !== null ? routeThrough(scene, selected) : null), [scene, showPath, selected]);
  const minimap = nodes.length > 6;
  return (
    <Route.Provider value={route}>
      <ReactFlow nodes={nodes} edges={edges} nodeTypes={nodeTypes} edgeTypes={edgeTypes} onlyRenderVisibleElements={nodes.length > FEW}
        minZoom={0.05} maxZoom={2.5} nodesDraggable={false} nodesConnectable={false} nodesFocusable={false} edgesFocusable={false}
        elementsSelectable={false} elevateEdgesOnSelect={false} elevateNodesOnSelect={false} zoomOnDoubleClick={false} disableKeyboardA11y
        deleteKeyCode={null} selectionKeyCode={null} multiSelectionKeyCode={null} panOnScroll={false} proOptions={{ hideAttribution: true }}
        onPaneClick={() => select(null)}>
        {minimap && <MiniMap pannable zoomable ariaLabel={t('minimap')} nodeBorderRadius={8} className="map" style={{ width: 140, height: 105 }}
          nodeColor={mapColour} nodeStrokeColor={mapLine} nodeStrokeWidth={6} />}
      </ReactFlow>
      {!scene && <p className="center-note">{t('loading')}</p>}
      {scene && scene.nodes.length === 0 && <p className="center-note">{t('empty')}</p>}
      <CanvasTools />
      <Legend />
    </Route.Provider>
  );
}

export function Canvas() {
  return (
    <div className="flow">
      <ReactFlowProvider>
        <Flow />
      </ReactFlowProvider>
    </div>
  );
}
