import { command } from '../state/session';
import { encodeTensor } from '../wire/tensor';
import type { AttributeValue } from '../wire/types';

// Changes of the model. The Lab decides whether they are possible; the page only asks.
const apply = (...commands: Record<string, unknown>[]) => command({ do: 'apply', edit: { commands } });

export const replaceOp = (at: string, op: string) => apply({ do: 'replace_op', at, op });

export const setConstant = (node: string, type: string, values: number[]) =>
  apply({ do: 'set_constant', node, value: encodeTensor(type, values) });

export const setConfig = (at: string, name: string, value: AttributeValue) => apply({ do: 'set_config', at, attrs: { [name]: value } });

export const setTrainable = (variables: string[], trainable: boolean) =>
  apply(...variables.map((variable) => ({ do: 'set_trainable', variable, trainable })));

export const undo = () => command({ do: 'undo' });
export const redo = () => command({ do: 'redo' });
export const reset = (paths: string[]) => command({ do: 'reset', paths });
