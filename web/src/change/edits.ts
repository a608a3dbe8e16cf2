import { command } from '../state/session';
import { labelOf, trainingOf, useLab } from '../state/store';
import { encodeTensor } from '../wire/tensor';
import type { AttributeValue, Described } from '../wire/types';

// Changes of the model. The Lab decides whether they are possible; the page only asks.
const apply = (...commands: Record<string, unknown>[]) => command({ do: 'apply', edit: { commands } });

export const replaceOp = (at: string, op: string) => apply({ do: 'replace_op', at, op });

// People look for these; the others follow as the Lab lists them.
const USUAL = ['Relu', 'Gelu', 'Silu', 'Tanh', 'Sigmoid', 'LeakyRelu', 'Elu'];
export const isUsual = (op: string): boolean => USUAL.includes(op);
const rank = (op: string): number => (USUAL.includes(op) ? USUAL.indexOf(op) : USUAL.length);
export const usualFirst = (replacements: Described['replacements']) => [...replacements].sort((a, b) => rank(a.op) - rank(b.op));

export const setConstant = (node: string, type: string, values: number[]) =>
  apply({ do: 'set_constant', node, value: encodeTensor(type, values) });

export const setConfig = (at: string, name: string, value: AttributeValue) => apply({ do: 'set_config', at, attrs: { [name]: value } });

// Of the variables of a layer only its parameters are trained; counters and running means are left alone.
export const parametersOf = ({ variables }: Described) => variables.filter(({ kind }) => kind === 'parameter');

export const isFrozen = (described: Described): boolean => parametersOf(described).every(({ trainable }) => !trainable);

export const setTrainable = (described: Described, trainable: boolean) =>
  apply(...parametersOf(described).map(({ name }) => ({ do: 'set_trainable', variable: name, trainable })));

// A branch is named after where it comes from.
export function branch() {
  const from = trainingOf(useLab.getState());
  return command({ do: 'branch', label: from ? `${labelOf(from)} @${from.step}` : '' });
}

export const undo = () => command({ do: 'undo' });
export const redo = () => command({ do: 'redo' });
export const reset = (paths: string[]) => command({ do: 'reset', paths });
