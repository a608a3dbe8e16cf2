import { describe, has, levelOf } from './levels.mjs';
import { editFrom, Refused } from './edits.mjs';
import { samples, statistics, tensorFrame } from './numbers.mjs';
import { sizeOf } from './views.mjs';
import { Training } from './training.mjs';

const LOOKING = new Set(['level', 'describe', 'find', 'locate', 'subscribe', 'tensor', 'history', 'plan', 'costs', 'journal', 'read']);
const VIEWS = ['model', 'expanded', 'gradient', 'optimised', 'plan'];
const pathOf = (value) => value.replace(/:\d+$/, '');

// A Lab that speaks the protocol with a model of its own. Numbers are made up; order and form of the events are not.
export class Lab {
  clients = new Set();
  trainings = new Map([[1, new Training(1, 'letters', (event) => this.tell(event))]]);

  tell(event) {
    // Only the page that asked hears the number of its question.
    for (const client of this.clients) client.send(client === this.asker ? event : { ...event, ask: undefined });
    if (event.event === 'step_done') for (const client of this.clients) this.watch(client, event.training);
  }

  join(client) {
    this.clients.add(client);
    client.watching = { values: [], gradients: false, training: 1 };
    client.send({ event: 'welcome', version: '0.4.0', read_only: client.readOnly, lang: 'en', trainings: [...this.trainings.values()].map((each) => each.shown()) });
    this.tell({ event: 'clients', count: this.clients.size });
  }

  quit(client) {
    this.clients.delete(client);
    this.tell({ event: 'clients', count: this.clients.size });
  }

  hear(client, message) {
    const answer = (event) => client.send({ training: message.training ?? 1, ...event, ask: message.ask });
    this.asker = client;
    try {
      if (client.readOnly && !LOOKING.has(message.do)) throw new Refused('read_only', `'${message.do}' from a page that may only look`, 'the address that may change things');
      const training = this.trainings.get(message.training ?? 1);
      if (!training) throw new Refused('no_such_training', `Training ${message.training}`, 'the number of a training');
      const act = this[`on_${message.do}`];
      if (!act) throw new Refused('unknown_message', `The message '${message.do}'`, 'a message of the protocol');
      act.call(this, training, message, answer, client);
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      answer({ event: 'failed', message: message.do, error: problem.error });
    } finally {
      this.asker = null;
    }
  }

  watch(client, id) {
    const { values, gradients, training: wanted } = client.watching;
    const training = this.trainings.get(id);
    if (values.length === 0 || wanted !== id || training.step === 0) return;
    const read = (value) => {
      const node = training.model.nodes.get(pathOf(value));
      const count = sizeOf(node?.type ?? 'f32[]') / 4;
      const gradient = gradients && !node?.type.startsWith('i64') ? { gradient: statistics(`grad ${value}`, training.step, count) } : {};
      return { path: value, ...statistics(value, training.step, count), ...gradient };
    };
    client.send({ event: 'watched', training: id, step: training.step, values: values.map(read) });
  }

  on_level(training, { view = 'model', scope = '' }, answer) {
    const graph = training.graph(view);
    if (!has(graph, scope)) throw new Refused('no_such_scope', `The scope '${scope}'`, 'a scope of this view');
    answer({ event: 'level', version: training.version, view, ...levelOf(graph, scope, training.frozen) });
  }

  on_describe(training, { view = 'model', path }, answer) {
    const graph = training.graph(view);
    if (path === '' || !has(graph, path)) throw new Refused('no_such_node', `The node '${path}'`, 'a path of this view');
    answer({ event: 'described', version: training.version, view, ...describe(graph, path, training.frozen) });
  }

  on_find(training, { view = 'model', text, limit = 50 }, answer) {
    const graph = training.graph(view);
    const word = text.toLowerCase();
    const all = [...graph.scopes.values(), ...graph.nodes.values()].filter(({ path, op, variables = [] }) =>
      path.toLowerCase().includes(word) || op.toLowerCase().includes(word) || variables.some(({ name }) => name.toLowerCase().includes(word)));
    const items = all.slice(0, limit).map(({ path, op, category }) => ({ view, path, op, name: path.split('/').at(-1), category }));
    answer({ event: 'found', version: training.version, items, more: all.length - items.length });
  }

  on_locate(training, { view = 'model', path }, answer) {
    const own = training.graph(view).nodes.get(path);
    const roots = view === 'model' ? [path] : (own?.origins ?? [path]);
    const within = (each) => roots.some((root) => each === root || each.startsWith(`${root}/`));
    const places = Object.fromEntries(VIEWS.map((name) => {
      const graph = training.graph(name);
      if (graph.scopes.has(path) && name !== 'plan') return [name, [path]];
      return [name, [...graph.nodes.values()].filter((node) => (name === 'model' ? within(node.path) : node.origins.some(within))).map((node) => node.path)];
    }));
    answer({ event: 'located', version: training.version, places });
  }

  on_subscribe(training, { values, gradients = false }, answer, client) {
    client.watching = { values, gradients, training: training.id };
    answer({ event: 'watched', step: training.step, values: [] });
    this.watch(client, training.id);
  }

  on_tensor(training, { value, gradient = false, limit = 65536, ask }, _answer, client) {
    const node = training.graph('expanded').nodes.get(pathOf(value));
    if (!node) throw new Refused('no_such_value', `The value '${value}'`, 'a value of the model');
    if (training.step === 0 && !node.literal) throw new Refused('no_batch', 'A value before the first step', 'a batch', 'Take a step');
    const shape = /\[(.*)\]/.exec(node.type)[1].split(',').filter((dim) => dim.trim() !== '').map(Number);
    const count = shape.reduce((a, b) => a * b, 1);
    const shown = Math.min(count, limit);
    const values = node.literal && !node.elided ? Float32Array.from(node.literal) : samples(`${gradient} ${value}`, training.step, shown);
    client.sendBinary(tensorFrame({ event: 'tensor', ask, training: training.id, value, gradient, type: node.type, shape, count, elided: shown < count }, values));
  }

  on_history(training, _message, answer) { answer(training.history()); }
  on_plan(training, _message, answer) { answer({ event: 'plan', ...training.plan() }); }
  on_costs(training, _message, answer) { answer(training.costs()); }
  on_journal(training, _message, answer) { answer(training.journal()); }

  edited(training, how, change, ask, text) {
    training.version += 1;
    training.views.clear();
    const entry = { id: training.entries.length + 1, step: training.step, how, text, undone: false, edit: change.edit };
    training.entries = [...training.entries.map((each) => (each.change === change.id ? { ...each, undone: how === 'undo' } : each)), { ...entry, change: change.id }];
    training.marks.push({ step: training.step, kind: 'edit', text });
    this.tell({ event: 'edit_applied', training: training.id, ask, how, kept: [], changed: [], type_changes: [] });
    this.tell({ event: 'graph_ready', training: training.id, model_nodes: training.model.nodes.size, step_nodes: 900, parameters: 2_400_000, warnings: [], version: training.version });
    training.changed();
    this.tell(training.journal());
    if (training.state === 'paused' && training.step > 0) this.tell({ event: 'evaluated_cone', training: training.id, step: training.step, loss: training.lossAt(training.step), computed: 14, kept: 120 });
  }

  on_apply(training, { edit, ask }) {
    let change;
    try {
      change = { id: training.entries.length + 1, ...editFrom(training, edit) };
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.tell({ event: 'edit_refused', training: training.id, ask, how: 'apply', problems: [problem.error] });
      return;
    }
    change.apply();
    training.bonus += change.bonus;
    training.done.push(change);
    training.undone = [];
    this.edited(training, 'apply', change, ask, change.text);
  }

  on_undo(training, { ask }) {
    const change = training.done.pop();
    if (!change) throw new Refused('nothing_to_undo', 'undo', 'an edit in the journal');
    change.revert();
    training.bonus -= change.bonus;
    training.undone.push(change);
    this.edited(training, 'undo', change, ask, { en: `took back: ${change.text.en}`, ru: `отменено: ${change.text.ru}` });
  }

  on_redo(training, { ask }) {
    const change = training.undone.pop();
    if (!change) throw new Refused('nothing_to_redo', 'redo', 'an edit that was undone');
    change.apply();
    training.bonus += change.bonus;
    training.done.push(change);
    this.edited(training, 'redo', change, ask, { en: `again: ${change.text.en}`, ru: `снова: ${change.text.ru}` });
  }
}
