// The plan of one step: calls in order, and where their results lie in memory.

export interface PlanStep {
  title: string;
  kind: string;
  path: string;
  seconds?: number;
}

export interface PlanBuffer {
  name: string;
  path: string;
  offset: number;
  size: number;
  first: number;
  last: number;
}

export interface Plan {
  version: number;
  arena: number;
  lower_bound: number;
  waste: number;
  variables: number;
  scratch: number;
  steps: PlanStep[];
  buffers: PlanBuffer[];
  alive: number[];
}
