import { getViewportForBounds, MiniMap, ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { select } from '../state/place';
import { placeOf, useLab } from '../state/store';
import { useWords } from '../words/words';
import { isInSight, keepInPlace, type Viewport } from './anchor';
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
const LEAST_ZOOM = 0.05;

// All of it; where that would be too small to read and `readably` is asked for, its beginning.
function wholeOf(scene: Scene, { clientWidth, clientHeight }: Element, readably: boolean): Viewport {
  const left = Math.min(...scene.nodes.map(({ box }) => box.x));
  const right = Math.max(...scene.nodes.map(({ box }) => box.x + box.width));
  const top = Math.min(...scene.nodes.map(({ box }) => box.y));
  const bottom = Math.max(...scene.nodes.map(({ box }) => box.y + box.height));
  const all = getViewportForBounds({ x: left, y: top, width: right - left, height: bottom - top }, clientWidth, clientHeight, LEAST_ZOOM, 1, 0.08);
  return readably && all.zoom < READABLE ? { zoom: READABLE, x: clientWidth / 2 - ((left + right) / 2) * READABLE, y: 16 - top * READABLE } : all;
}

// Moves the view when the scene changes: to all of it when it is another one, else so that what one looks at stays.
function useSteadyView(scene: Scene | null): void {
  const flow = useReactFlow();
  const shown = useRef<Scene | null>(null);
  const where = useLab((state) => `${state.current}|${state.view}|${placeOf(state).root}`);
  const shownWhere = useRef('');
  const fits = useCanvas((state) => state.fits);
  const focus = useCanvas((state) => state.focus);

  // Moves wait for the next picture, by which the scene may be a newer one: they go by what is shown then, and one after the other.
  const moveSoon = useCallback((move: (scene: Scene, pane: Element) => Viewport | null) => {
    requestAnimationFrame(() => {
      const pane = document.querySelector('.flow');
      const to = shown.current && shown.current.nodes.length > 0 && pane ? move(shown.current, pane) : null;
      if (to) void flow.setViewport(to);
    });
  }, [flow]);

  useEffect(() => {
    if (!scene) return;
    const before = shown.current;
    shown.current = scene;
    if (!before || shownWhere.current !== where || before.root !== scene.root) {
      shownWhere.current = where;
      moveSoon((now, pane) => wholeOf(now, pane, true));
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
  }, [scene, where, flow, moveSoon]);

  useEffect(() => {
    if (fits > 0) moveSoon((now, pane) => wholeOf(now, pane, false));
  }, [fits, moveSoon]);

  useEffect(() => {
    if (focus === null || !scene?.nodes.some(({ id }) => id === focus)) return;
    useCanvas.setState({ focus: null });
    moveSoon((now, pane) => {
      const box = now.nodes.find(({ id }) => id === focus)?.box;
      if (!box) return null;
      // Near enough to read; an opened box as a whole, where that can be.
      const zoom = Math.max(Math.min(1, Math.max(0.8, flow.getZoom()), (pane.clientWidth * 0.94) / box.width), READABLE);
      return { zoom, x: pane.clientWidth / 2 - (box.x + box.width / 2) * zoom, y: pane.clientHeight / 2 - (box.y + Math.min(box.height, 300) / 2) * zoom };
    });
  }, [focus, scene, flow, moveSoon]);
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
        minZoom={LEAST_ZOOM} maxZoom={2.5} nodesDraggable={false} nodesConnectable={false} nodesFocusable={false} edgesFocusable={false}
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
