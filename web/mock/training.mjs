import { makeModel } from './model.mjs';
import { expandedOf, gradientOf, optimisedOf, planOf } from './views.mjs';
import { dice } from './numbers.mjs';

const INTERVAL = 60; // milliseconds between two steps

// One training: counters, a curve, the journal of edits, snapshots. `tell` sends an event to every client.
export class Training {
  constructor(id, label, tell) {
    Object.assign(this, { id, label, tell, state: 'paused', step: 0, version: 1, parent: null, rate: 0.001, schedule: '', bonus: 0 });
    this.optimizer = { name: 'AdamW', settings: { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weight_decay: 0.01 } };
    this.model = makeModel();
    this.frozen = new Set();
    this.done = [];
    this.undone = [];
    this.entries = [];
    this.snapshots = [];
    this.curve = [];
    this.evaluations = [];
    this.marks = [];
    this.views = new Map();
  }

  graph(view) {
    const known = this.views.get(view);
    if (known) return known;
    const made = { model: () => this.model, expanded: () => expandedOf(this.model), gradient: () => gradientOf(this.model), optimised: () => optimisedOf(this.model), plan: () => this.graph('optimised') }[view]();
    this.views.set(view, made);
    return made;
  }

  plan() {
    return planOf(this.graph('optimised'), this.version);
  }

  // Every node takes as much as every other.
  costs() {
    const parts = new Map();
    for (const path of this.model.nodes.keys()) {
      for (let part = path; ; part = part.slice(0, Math.max(0, part.lastIndexOf('/')))) {
        parts.set(part, (parts.get(part) ?? 0) + 1);
        if (part === '') break;
      }
    }
    const byRole = (count, each) => ({ forward: count * each, gradient: count * each, update: 0 });
    return {
      event: 'costs', training: this.id, version: this.version, step: this.step,
      parts: [...parts].map(([path, count]) => ({ path, bytes: byRole(count, 1024), ...(this.step > 1 ? { seconds: byRole(count, 1e-5) } : {}) })),
    };
  }

  shown() {
    const { id, label, state, step, version, parent, rate, schedule, optimizer } = this;
    return { id, label, state, step, version, parent, learning_rate: rate, schedule, optimizer, datasets: ['held_out'], can_save: true, course: { steps: null }, snapshots: this.snapshots.map(({ id, step: at, label: en }) => ({ id, step: at, text: { en, ru: en } })) };
  }

  changed() {
    this.tell({ event: 'training', training: this.id, state: this.shown() });
  }

  // Takes a snapshot, and gives its number.
  keep(label) {
    const id = this.snapshots.length + 1;
    this.snapshots.push({ id, label, step: this.step, bonus: this.bonus });
    return id;
  }

  journal() {
    return { event: 'journal', training: this.id, entries: this.entries.map(({ change: _, ...entry }) => entry), can_undo: this.done.length > 0, can_redo: this.undone.length > 0 };
  }

  run(steps = Infinity) {
    if (this.state === 'stopped') return;
    this.left = steps;
    if (this.state === 'running') return;
    this.state = 'running';
    this.changed();
    this.timer = setInterval(() => this.advance(), INTERVAL);
  }

  halt(reason, state = 'paused') {
    clearInterval(this.timer);
    this.state = state;
    this.tell(state === 'stopped' ? { event: 'stopped', training: this.id, step: this.step } : { event: 'paused', training: this.id, step: this.step, reason });
    this.changed();
  }

  lossAt(step, noise = 0.06) {
    return 0.9 + 3.4 * Math.exp(-step / 220) - this.bonus + noise * (dice(`${this.id}:${step}`)() - 0.5);
  }

  advance() {
    this.step += 1;
    const roll = dice(`norm ${this.id} ${this.step}`);
    const finite = this.rate <= 1;
    const loss = finite ? this.lossAt(this.step) : null;
    const row = { step: this.step, loss, learning_rate: this.rate, gradient_norm: finite ? 0.6 + 2 * Math.exp(-this.step / 80) + 0.2 * roll() : null, seconds: 0.02 + 0.004 * roll() };
    this.curve.push(row);
    this.tell({ event: 'step_done', training: this.id, committed: finite, ...row });
    if (this.step % 25 === 0) this.evaluate('held_out');
    if (!finite) {
      const path = 'block_2/attention/shares';
      const what = { en: `NaN at ${path}`, ru: `NaN в ${path}` };
      this.tell({ event: 'not_finite', training: this.id, step: this.step, view: 'model', path, op: 'Softmax', what, count: 12 });
      this.tell({ event: 'warned', training: this.id, text: what, node: path });
      this.halt('not_finite');
      return;
    }
    this.left -= 1;
    if (this.left <= 0) this.halt('steps_done');
  }

  evaluate(dataset, ask) {
    const loss = this.lossAt(this.step, 0) + 0.12;
    const result = { step: this.step, dataset, loss, accuracy: Math.min(0.98, Math.exp(-loss / 2)), metrics: { perplexity: Math.exp(loss) } };
    this.evaluations.push(result);
    this.tell({ event: 'evaluated', training: this.id, ask, examples: 512, ...result });
  }

  history() {
    const every = Math.max(1, Math.ceil(this.curve.length / 4000));
    const rows = this.curve.filter((_, index) => index % every === 0);
    const column = (name) => rows.map((row) => row[name]);
    const columns = Object.fromEntries(['step', 'loss', 'learning_rate', 'gradient_norm', 'seconds'].map((name) => [name, column(name)]));
    return { event: 'history', training: this.id, columns, evaluations: this.evaluations, marks: this.marks };
  }
}
