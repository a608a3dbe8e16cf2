// The plan of one step: calls in order, and where their results lie in memory.
export type { PlanBuffer, PlanStep } from '../generated/protocol';
export type { Plan } from './types';
