// What the Lab says beyond the protocol of a training. What the protocol has comes from its schema.
import type { Words } from '../generated/protocol';

export type { ErrorDetail as LabError, Histogram, JournalEntry, Reading, Statistics, Words } from '../generated/protocol';

export const VIEWS = ['model', 'expanded', 'gradient', 'optimised', 'plan'] as const;
export type View = (typeof VIEWS)[number];

export interface Optimizer {
  name: string;
  settings: Record<string, number | boolean | string>;
}

export interface Training {
  id: number;
  label: string;
  state: 'running' | 'paused' | 'stopped' | 'failed';
  step: number;
  version: number;
  parent: { training: number; step: number } | null;
  learning_rate: number;
  schedule: string;
  optimizer: Optimizer;
  datasets: string[];
  can_save: boolean;
}

export interface Repeats {
  of: string;
  index: number;
  count: number;
}

export interface Item {
  path: string;
  name: string;
  op: string;
  category: string;
  opens: boolean;
  nodes: number;
  parameters: number;
  outputs: { name: string; type: string }[];
  flags: string[];
  role: 'forward' | 'loss' | 'gradient' | 'update';
  origins?: string[];
  repeats?: Repeats;
  seconds?: number;
  bytes?: number;
  flops?: number;
}

export interface Edge {
  from: string;
  to: string;
  value: string;
  type: string;
  count: number;
  skips: boolean;
}

export interface Port {
  name: string;
  value: string;
  type: string;
  items: string[];
}

export interface Portal {
  name: string;
  value: string;
  type: string;
  from: string | null;
  to: string[];
}

export interface Level {
  training: number;
  version: number;
  view: View;
  scope: string;
  title: string;
  items: Item[];
  edges: Edge[];
  inlets: Port[];
  outlets: Port[];
  portals: Portal[];
}

export type AttributeValue = number | string | boolean | (number | string)[] | null;

export interface Attribute {
  name: string;
  kind: 'number' | 'integer' | 'text' | 'boolean' | 'list';
  value: AttributeValue;
  default?: AttributeValue;
  choices?: string[];
  least?: number;
  most?: number;
  keeps_shape: boolean;
  words: Words;
}

export interface Variable {
  name: string;
  type: string;
  kind: string;
  trainable: boolean;
  count: number;
  role?: Words;
}

export interface Literal {
  type: string;
  values: (number | boolean | null)[];
  elided: boolean;
}

export interface Described {
  training: number;
  version: number;
  view: View;
  path: string;
  op: string;
  category: string;
  title: Words;
  what: Words;
  why: Words;
  formula: string;
  formula_text: string;
  role?: Words;
  inputs: { name: string; from: string | null; value: string; type: string }[];
  outputs: { name: string; value: string; type: string; to: string[]; output_as?: string }[];
  attributes: Attribute[];
  variables: Variable[];
  literal?: Literal;
  replacements: { op: string; title: Words }[];
  why_not?: Words;
  flags: string[];
  origins?: string[];
  repeats?: Repeats;
  where?: string;
}

export interface Mark {
  step: number;
  kind: string;
  text: Words;
}

export interface Evaluation {
  step: number;
  dataset: string;
  loss: number | null;
  accuracy?: number;
  metrics?: Record<string, unknown>;
}

export interface History {
  columns: Record<'step' | 'loss' | 'learning_rate' | 'gradient_norm' | 'seconds', (number | null)[]>;
  evaluations: Evaluation[];
  marks: Mark[];
}

export interface FoundItem {
  view: View;
  path: string;
  op: string;
  name: string;
  category: string;
}

export interface TensorHeader {
  event: 'tensor';
  ask?: number;
  training: number;
  value: string;
  type: string;
  shape: number[];
  count: number;
  elided: boolean;
}
