import type { Plan, PlanBuffer } from '../wire/plan';

export interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

// Steps go from left to right, addresses from bottom to top.
export function rectangleOf(plan: Plan, buffer: PlanBuffer, frame: Frame): Rectangle {
  const across = frame.width / Math.max(1, plan.steps.length);
  const up = frame.height / Math.max(1, plan.arena);
  return {
    x: frame.left + buffer.first * across,
    y: frame.top + frame.height - (buffer.offset + buffer.size) * up,
    width: (buffer.last - buffer.first + 1) * across,
    height: buffer.size * up,
  };
}

// Which part of the training step a buffer belongs to, as its path begins.
export const PARTS = ['forward', 'gradient', 'update', 'rest'] as const;
export type Part = (typeof PARTS)[number];

export function partOf(path: string): Part {
  const first = path.slice(0, Math.max(0, path.indexOf('/')));
  return PARTS.find((part) => part === first) ?? 'rest';
}

export function bufferAt(plan: Plan, frame: Frame, x: number, y: number): PlanBuffer | null {
  const inside = (buffer: PlanBuffer) => {
    const box = rectangleOf(plan, buffer, frame);
    return x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
  };
  return plan.buffers.find(inside) ?? null;
}

export const stepAt = (plan: Plan, frame: Frame, x: number): number | null => {
  const step = Math.floor(((x - frame.left) / frame.width) * plan.steps.length);
  return step >= 0 && step < plan.steps.length ? step : null;
};
