import { create } from 'zustand';
import type { Scene } from './scene';

export interface Hover {
  kind: 'node' | 'value';
  path: string; // of the node, or name of the value
  type: string;
  note: string;
  x: number;
  y: number;
}

// What belongs to the picture and not to the model: the scene as drawn, what the mouse is over, what to bring into sight.
interface CanvasState {
  scene: Scene | null;
  hover: Hover | null;
  focus: string | null; // a node to bring into sight as soon as it is drawn
  fits: number; // counts requests to show all
  anchor: string | null; // stays where it is when the scene changes
}

export const useCanvas = create<CanvasState>(() => ({ scene: null, hover: null, focus: null, fits: 0, anchor: null }));

export const bringIntoSight = (path: string): void => useCanvas.setState({ focus: path });
export const fitAll = (): void => useCanvas.setState({ fits: useCanvas.getState().fits + 1 });
// Where the mouse was last seen to move. A node that comes to lie under a mouse that rests was not pointed at.
const mouse = { x: -1, y: -1 };
if (typeof window !== 'undefined') {
  window.addEventListener('pointermove', ({ clientX, clientY }) => {
    [mouse.x, mouse.y] = [clientX, clientY];
  }, { passive: true, capture: true });
}

export function setHover(hover: Hover | null): void {
  // Events of the mouse have whole pixels, those of the pointer have parts of them.
  const rests = hover !== null && Math.abs(hover.x - mouse.x) < 1.5 && Math.abs(hover.y - mouse.y) < 1.5;
  if (!rests) useCanvas.setState({ hover });
}
