import { cardOf, categoryOf, replacementsOf } from './cards.mjs';

// A refusal in the words of the engine.
export class Refused extends Error {
  constructor(code, given, needed, mend) {
    super(given);
    this.error = { code, given, needed, ...(mend ? { mend } : {}) };
  }
}

const nodeAt = (training, path) => {
  const node = training.model.nodes.get(path);
  if (!node) throw new Refused('no_such_node', `There is no node '${path}'`, 'the path of a node of the model');
  return node;
};

const decode = ({ type, data }) => {
  if (!type.startsWith('f32')) throw new Refused('bad_value', `A value of ${type}`, 'f32 in this stand-in');
  const bytes = Buffer.from(data, 'base64');
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(4 * index));
};

// Each command gives its words and two functions: do and undo.
const COMMANDS = {
  replace_op(training, { at, op }) {
    const node = nodeAt(training, at);
    const before = node.op;
    if (!cardOf(op)) throw new Refused('no_such_op', `There is no op '${op}'`, 'the name of an op', 'Look it up in the list of ops');
    if (!replacementsOf(before).some((each) => each.op === op)) throw new Refused('output_type_changed', `${op} in the place of ${before}`, 'an op with the same inputs and outputs');
    const set = (name) => () => Object.assign(node, { op: name, category: categoryOf(name) });
    return { text: { en: `Replace ${before} at ${at} by ${op}`, ru: `Заменить ${before} в ${at} на ${op}` }, apply: set(op), revert: set(before), bonus: 0.15 };
  },
  set_constant(training, { node: at, value }) {
    const node = nodeAt(training, at);
    const before = node.literal;
    const after = decode(value);
    if (after.length !== before.length) throw new Refused('bad_value', `${after.length} elements`, `${before.length} elements`);
    return { text: { en: `Set ${at} to ${after.slice(0, 3).join(', ')}`, ru: `Задать ${at}: ${after.slice(0, 3).join(', ')}` }, apply: () => (node.literal = after), revert: () => (node.literal = before), bonus: 0.02 };
  },
  set_config(training, { at, attrs }) {
    const target = training.model.scopes.get(at) ?? nodeAt(training, at);
    const before = { ...target.attrs };
    const words = Object.entries(attrs).map(([name, value]) => `${name} = ${JSON.stringify(value)}`).join(', ');
    return { text: { en: `Set ${words} of ${at}`, ru: `Задать ${words} у ${at}` }, apply: () => Object.assign(target.attrs, attrs), revert: () => (target.attrs = before), bonus: 0.01 };
  },
  set_trainable(training, { variable, trainable }) {
    const set = (on) => () => (on ? training.frozen.delete(variable) : training.frozen.add(variable));
    const text = trainable ? { en: `Train ${variable} again`, ru: `Снова обучать ${variable}` } : { en: `Freeze ${variable}`, ru: `Заморозить ${variable}` };
    return { text, apply: set(trainable), revert: set(!trainable), bonus: 0 };
  },
};

export function editFrom(training, { commands }) {
  const parts = commands.map((each) => {
    const make = COMMANDS[each.do];
    if (!make) throw new Refused('bad_command', `The command '${each.do}'`, `one of ${Object.keys(COMMANDS).join(', ')}`);
    return make(training, each);
  });
  const first = parts[0];
  const more = parts.length > 1 ? ` (+${parts.length - 1})` : '';
  return {
    edit: { commands }, text: { en: first.text.en + more, ru: first.text.ru + more }, bonus: first.bonus,
    apply: () => parts.forEach((part) => part.apply()),
    revert: () => [...parts].reverse().forEach((part) => part.revert()),
  };
}
