import { Lab } from './lab.mjs';
import { editFrom, Refused } from './edits.mjs';
import { samples } from './numbers.mjs';
import { Training } from './training.mjs';

// The messages that drive a training.
Object.assign(Lab.prototype, {
  on_run(training, { steps }) { training.run(steps); },
  on_step(training) {
    if (training.state === 'running') training.halt('asked');
    training.left = 1;
    training.advance();
  },
  on_pause(training) { training.halt('asked'); },
  on_stop(training) { training.halt('asked', 'stopped'); },
  on_evaluate(training, { dataset = 'held_out', ask }) { training.evaluate(dataset, ask); },

  on_set_learning_rate(training, { rate, ask }) {
    if (!(rate >= 0)) throw new Refused('bad_rate', `A learning rate of ${rate}`, 'a number of at least 0');
    training.rate = rate;
    training.marks.push({ step: training.step, kind: 'learning_rate', text: { en: String(rate), ru: String(rate) } });
    this.tell({ event: 'learning_rate_set', training: training.id, ask, rate });
    training.changed();
  },
  on_set_optimizer(training, { settings }, answer) {
    for (const name of Object.keys(settings)) {
      if (!(name in training.optimizer.settings)) throw new Refused('unknown_setting', `The setting '${name}'`, `one of ${Object.keys(training.optimizer.settings).join(', ')}`);
    }
    training.optimizer = { ...training.optimizer, settings: { ...training.optimizer.settings, ...settings } };
    answer({ event: 'optimizer_set', name: training.optimizer.name, settings: training.optimizer.settings, graph_changed: false });
    training.changed();
  },
  on_set_schedule(training, { schedule }, answer) {
    const { kind, ...settings } = schedule;
    training.schedule = `${kind}(${Object.entries(settings).map(([name, value]) => `${name} ${value}`).join(', ')})`;
    answer({ event: 'schedule_set', schedule, text: training.schedule });
    training.changed();
  },
  on_reset(training, { paths }, answer) {
    const text = { en: `Reset weights of ${paths.join(', ') || 'the model'}`, ru: `Сбросить веса: ${paths.join(', ') || 'вся модель'}` };
    training.marks.push({ step: training.step, kind: 'edit', text });
    const snapshot = training.keep(text.en);
    training.bonus = Math.min(0, training.bonus) - (paths.length === 0 ? 0.6 : 0.2);
    training.entries = [...training.entries, { id: training.entries.length + 1, step: training.step, how: 'reset', text, undone: false, snapshot }];
    const variables = [...training.model.nodes.values()].flatMap((node) => node.variables.map(({ name }) => name));
    answer({ event: 'reset_done', variables: variables.filter((name) => paths.length === 0 || paths.some((path) => name.startsWith(path))) });
    training.changed();
    this.tell(training.journal());
  },
  on_read(training, { path }, answer) {
    const found = [...training.model.nodes.values()].flatMap(({ variables }) => variables).find(({ name }) => name === path);
    if (!found) throw new Refused('no_such_value', `The value '${path}'`, 'a variable of the model');
    const values = [...samples(path, training.step, Math.min(found.count, 256))];
    const mean = values.reduce((a, b) => a + b, 0) / values.length;
    answer({ event: 'value_read', path, value: { type: found.type, min: Math.min(...values), max: Math.max(...values), mean, elided: found.count > 256, values } });
  },
  on_set_value(training, { path }, answer) {
    answer({ event: 'value_set', path });
    training.changed();
  },
  on_snapshot(training, { label = '', ask }) {
    const id = training.keep(label);
    training.marks.push({ step: training.step, kind: 'snapshot', text: { en: label, ru: label } });
    this.tell({ event: 'snapshot_taken', training: training.id, ask, id, label, step: training.step });
    training.changed();
  },
  on_return_to(training, { id, ask }) {
    const found = training.snapshots.find((each) => each.id === id);
    if (!found) throw new Refused('no_such_snapshot', `Snapshot ${id}`, 'the number of a snapshot');
    training.step = found.step;
    training.bonus = found.bonus;
    training.curve = training.curve.filter(({ step }) => step <= found.step);
    this.tell({ event: 'returned', training: training.id, ask, id, step: found.step });
    training.changed();
  },
  on_save(training, { ask }) {
    training.saved = training.step;
    this.tell({ event: 'checkpoint_saved', training: training.id, ask, step: training.step, path: `runs/letters/step_${training.step}`, is_best: true });
  },
  on_load(training, { ask }) {
    if (training.saved === undefined) throw new Refused('no_checkpoint', 'A folder without checkpoints', 'a checkpoint', 'Save one first');
    training.step = training.saved;
    this.tell({ event: 'checkpoint_loaded', training: training.id, ask, step: training.step, path: `runs/letters/step_${training.saved}` });
    training.changed();
  },
  on_branch(training, { label = '', ask }) {
    const id = this.trainings.size + 1;
    const made = new Training(id, label || `${training.label} ${id}`, (event) => this.tell(event));
    Object.assign(made, { step: training.step, rate: training.rate, bonus: training.bonus, parent: { training: training.id, step: training.step }, curve: [...training.curve], evaluations: [...training.evaluations] });
    for (const { id: number, edit } of training.done) {
      const change = { id: number, ...editFrom(made, edit) };
      change.apply();
      made.done.push(change);
    }
    made.entries = [...training.entries];
    this.trainings.set(id, made);
    made.changed();
    this.tell({ event: 'branched', training: training.id, ask, branch: id, label: made.label, step: made.step });
  },
  on_open(_training, { source }, answer) {
    const id = this.trainings.size + 1;
    const made = new Training(id, source.zoo ?? source.json ?? source.run, (event) => this.tell(event));
    this.trainings.set(id, made);
    made.changed();
    answer({ event: 'opened', training: id });
  },
});
