// Made from docs/protocol.schema.json by `make generate`.

export type Message =
  | RunMessage
  | StepMessage
  | PauseMessage
  | ApplyMessage
  | UndoMessage
  | RedoMessage
  | SnapshotMessage
  | ReturnToMessage
  | ReadMessage
  | SetValueMessage
  | SetLearningRateMessage
  | SetScheduleMessage
  | SetOptimizerMessage
  | ResetMessage
  | JournalMessage
  | WatchMessage
  | EvaluateMessage
  | SaveMessage
  | LoadMessage
  | BranchMessage
  | StopMessage;

export type MessageName = Message["do"];

export type TrainingEvent =
  | GraphReadyEvent
  | StepDoneEvent
  | EpochDoneEvent
  | PausedEvent
  | WarnedEvent
  | NotFiniteEvent
  | EditAppliedEvent
  | EditRefusedEvent
  | SnapshotTakenEvent
  | ReturnedEvent
  | ValueReadEvent
  | ValueSetEvent
  | LearningRateSetEvent
  | ScheduleSetEvent
  | OptimizerSetEvent
  | ResetDoneEvent
  | JournalEvent
  | EvaluatedEvent
  | CheckpointSavedEvent
  | CheckpointLoadedEvent
  | BranchedEvent
  | WatchedEvent
  | FailedEvent
  | StoppedEvent;

export type EventName = TrainingEvent["event"];

/** Trains: that many steps, or without `steps` until the course is over or `pause`. */
export interface RunMessage {
  do: "run";
  /** how many steps */
  steps?: number;
  /** number of the training; without it the first one */
  training?: number;
}

/** Trains one step. */
export interface StepMessage {
  do: "step";
  /** number of the training; without it the first one */
  training?: number;
}

/** Stops at the end of the step. */
export interface PauseMessage {
  do: "pause";
  /** number of the training; without it the first one */
  training?: number;
}

/** Changes the model between two steps. Nodes and variables are given by id or by name; a place inside a layer is a path such as `block/feed_forward/activation`. */
export interface ApplyMessage {
  do: "apply";
  /** commands in the form of the journal, with the policy for variables that change their size */
  edit: Edit;
  /** number of the training; without it the first one */
  training?: number;
}

/** Inverts the last edit. What was learnt stays where it fits. */
export interface UndoMessage {
  do: "undo";
  /** number of the training; without it the first one */
  training?: number;
}

/** Applies again what was undone. */
export interface RedoMessage {
  do: "redo";
  /** number of the training; without it the first one */
  training?: number;
}

/** Keeps model, values, optimiser state and counters in memory. */
export interface SnapshotMessage {
  do: "snapshot";
  /** for people */
  label?: string;
  /** number of the training; without it the first one */
  training?: number;
}

/** Restores all of a snapshot. */
export interface ReturnToMessage {
  do: "return_to";
  /** of the snapshot */
  id: number;
  /** number of the training; without it the first one */
  training?: number;
}

/** A variable by name, or the value of a node by its path, in eval mode on the last batch. */
export interface ReadMessage {
  do: "read";
  /** name or path */
  path: string;
  /** number of the training; without it the first one */
  training?: number;
}

/** Gives a variable other numbers, from the next step on. */
export interface SetValueMessage {
  do: "set_value";
  /** name of the variable */
  path: string;
  /** one number for all elements, or a list of as many as there are, by rows */
  value: number | number[];
  /** number of the training; without it the first one */
  training?: number;
}

/** The rate that the schedule scales, from the next step on. Nothing is compiled anew. */
export interface SetLearningRateMessage {
  do: "set_learning_rate";
  /** at least 0 */
  rate: number;
  /** number of the training; without it the first one */
  training?: number;
}

/** The course goes on under another schedule of the learning rate, from the next step on. The number of updates, which schedules count, goes on. */
export interface SetScheduleMessage {
  do: "set_schedule";
  schedule: Schedule;
  /** number of the training; without it the first one */
  training?: number;
}

/** Other numbers for the optimiser that the training has. Its state stays where it still applies; the step is compiled anew where it must be. */
export interface SetOptimizerMessage {
  do: "set_optimizer";
  /** by name, see [optimisers.md](optimisers.md); `learning_rate` is the rate that the schedule scales */
  settings: Record<string, unknown>;
  /** number of the training; without it the first one */
  training?: number;
}

/** Gives variables the values they began with, and begins their optimiser state anew. A snapshot is taken before. */
export interface ResetMessage {
  do: "reset";
  /** names of layers, scopes or variables; an empty list means all variables */
  paths: string[];
  /** number of the training; without it the first one */
  training?: number;
}

/** All that was done to the model. */
export interface JournalMessage {
  do: "journal";
  /** number of the training; without it the first one */
  training?: number;
}

/** Statistics of values of the model after every so many steps, until the next `watch`; an empty list ends it. Training itself does not notice. */
export interface WatchMessage {
  do: "watch";
  /** names of variables, paths of nodes of the model or inside its layers; `path:1` is the second output of a node */
  paths: string[];
  /** steps between two readings */
  every?: number;
  /** whether the gradient of the loss by each value is told too */
  gradients?: boolean;
  /** at most this share of the time goes into readings while the training runs: those that would take more are left out; 1 where it is not given */
  share?: number;
  /** number of the training; without it the first one */
  training?: number;
}

/** The model in eval mode on a data set. */
export interface EvaluateMessage {
  do: "evaluate";
  /** its name; without it `held_out` */
  dataset?: string;
  /** number of the training; without it the first one */
  training?: number;
}

/** Writes a checkpoint into the folder of the training. */
export interface SaveMessage {
  do: "save";
  /** number of the training; without it the first one */
  training?: number;
}

/** Goes on from a checkpoint. */
export interface LoadMessage {
  do: "load";
  /** `latest`, `best`, or the folder of a checkpoint; without it `latest` */
  which?: string;
  /** number of the training; without it the first one */
  training?: number;
}

/** Another training begins where this one stands, paused, and can train beside it. It gets messages that carry its number as `training`. */
export interface BranchMessage {
  do: "branch";
  /** for people */
  label?: string;
  /** number of the training; without it the first one */
  training?: number;
}

/** Ends the training; the end of a script does so too. */
export interface StopMessage {
  do: "stop";
  /** number of the training; without it the first one */
  training?: number;
}

/** The model, and all that is derived from it, stands ready to run. */
export interface GraphReadyEvent {
  event: "graph_ready";
  /** nodes of the model */
  model_nodes: number;
  /** nodes of the training step */
  step_nodes: number;
  /** numbers that are trained */
  parameters: number;
  /** what a person should know of */
  warnings: string[];
  /** of the graph: from 1, rises with every change */
  version: number;
  /** number of the training it comes from */
  training: number;
}

/** A step ran. */
export interface StepDoneEvent {
  event: "step_done";
  /** from 1 */
  step: number;
  /** from 1; left out where the data have none */
  epoch?: number;
  /** null where it is not finite */
  loss: number | null;
  /** that was used */
  learning_rate: number;
  /** of all gradients taken together, before clipping, where it is measured */
  gradient_norm?: number | null;
  /** false: loss or gradients were not finite, and nothing changed */
  committed: boolean;
  /** that the step took, its batch included */
  seconds: number;
  /** number of the training it comes from */
  training: number;
}

/** All batches of an epoch were used. */
export interface EpochDoneEvent {
  event: "epoch_done";
  /** from 1 */
  epoch: number;
  /** its last one */
  step: number;
  /** mean over its committed steps */
  loss: number | null;
  /** that it took */
  seconds: number;
  /** number of the training it comes from */
  training: number;
}

/** A run has come to its end, or was paused. */
export interface PausedEvent {
  event: "paused";
  /** the last one that ran */
  step: number;
  /** why */
  reason: "asked" | "steps_done" | "course_done" | "early_stopping" | "not_finite" | "failed";
  /** number of the training it comes from */
  training: number;
}

/** Something a person should know of; the training goes on. */
export interface WarnedEvent {
  event: "warned";
  /** in a sentence */
  text: string;
  /** path of the node it is about */
  node?: string;
  /** number of the training it comes from */
  training: number;
}

/** Where numbers stopped being finite; beside the warning of the first such step after each change. */
export interface NotFiniteEvent {
  event: "not_finite";
  /** the step, which changed nothing */
  step: number;
  /** where the path leads */
  view: "model";
  /** of the first such node of the model, or inside its layers */
  path: string;
  /** of that node */
  op: string;
  /** in a sentence */
  what: string;
  /** elements that are not finite */
  count: number;
  /** number of the training it comes from */
  training: number;
}

/** The model is another one now. Edits take a snapshot by themselves before they change anything, so snapshot ids may skip numbers. */
export interface EditAppliedEvent {
  event: "edit_applied";
  /** what was asked */
  how: "apply" | "undo" | "redo";
  /** variables that keep their values */
  kept: string[];
  /** the others */
  changed: VariableChange[];
  /** values whose type changed */
  type_changes: TypeChange[];
  /** number of the training it comes from */
  training: number;
}

/** The model stays as it is. */
export interface EditRefusedEvent {
  event: "edit_refused";
  /** what was asked */
  how: "apply" | "undo" | "redo";
  /** why */
  problems: ErrorDetail[];
  /** number of the training it comes from */
  training: number;
}

/** A snapshot is kept. */
export interface SnapshotTakenEvent {
  event: "snapshot_taken";
  /** for `return_to` */
  id: number;
  /** as given */
  label: string;
  /** at which it was taken */
  step: number;
  /** number of the training it comes from */
  training: number;
}

/** All is as it was in a snapshot. */
export interface ReturnedEvent {
  event: "returned";
  /** of the snapshot */
  id: number;
  /** at which it was taken */
  step: number;
  /** number of the training it comes from */
  training: number;
}

/** A value. */
export interface ValueReadEvent {
  event: "value_read";
  /** as asked */
  path: string;
  value: Tensor;
  /** number of the training it comes from */
  training: number;
}

/** A variable has other numbers. */
export interface ValueSetEvent {
  event: "value_set";
  /** its name */
  path: string;
  /** number of the training it comes from */
  training: number;
}

/** The learning rate is another one. */
export interface LearningRateSetEvent {
  event: "learning_rate_set";
  /** before the schedule */
  rate: number;
  /** number of the training it comes from */
  training: number;
}

/** The learning rate follows another schedule. */
export interface ScheduleSetEvent {
  event: "schedule_set";
  schedule: Schedule;
  /** for people: `cosine(minimum 0.1, steps 1000)` */
  text: string;
  /** number of the training it comes from */
  training: number;
}

/** The optimiser has other settings: they were set, or came back with a snapshot or a checkpoint. */
export interface OptimizerSetEvent {
  event: "optimizer_set";
  /** of the optimiser */
  name: string;
  /** all of them by name, defaults included */
  settings: Record<string, unknown>;
  /** whether graph_ready follows */
  graph_changed: boolean;
  /** number of the training it comes from */
  training: number;
}

/** Variables have the values they began with. */
export interface ResetDoneEvent {
  event: "reset_done";
  /** their names */
  variables: string[];
  /** number of the training it comes from */
  training: number;
}

/** All that was done to the model, oldest first. */
export interface JournalEvent {
  event: "journal";
  /** edits, undos and redos */
  entries: JournalEntry[];
  /** whether `undo` has an edit to invert */
  can_undo: boolean;
  /** whether `redo` has one to apply again */
  can_redo: boolean;
  /** number of the training it comes from */
  training: number;
}

/** What the model reaches on a data set, in eval mode. */
export interface EvaluatedEvent {
  event: "evaluated";
  /** its name */
  dataset: string;
  /** how many */
  examples: number;
  /** mean over the examples */
  loss: number | null;
  /** share of examples whose largest logit is at their label, for classes */
  accuracy?: number;
  /** numbers by name, where the course asks for metrics; null for one that is not finite */
  metrics?: Record<string, unknown>;
  /** number of the training it comes from */
  training: number;
}

/** A checkpoint is on the disk as a whole. */
export interface CheckpointSavedEvent {
  event: "checkpoint_saved";
  /** at which it was taken */
  step: number;
  /** its folder */
  path: string;
  /** by the metric that the course names */
  is_best: boolean;
  /** number of the training it comes from */
  training: number;
}

/** The training goes on from a checkpoint. */
export interface CheckpointLoadedEvent {
  event: "checkpoint_loaded";
  /** at which it was taken */
  step: number;
  /** its folder */
  path: string;
  /** number of the training it comes from */
  training: number;
}

/** Another training has begun. */
export interface BranchedEvent {
  event: "branched";
  /** its number */
  branch: number;
  /** as given */
  label: string;
  /** where it begins */
  step: number;
  /** number of the training it comes from */
  training: number;
}

/** Statistics of the watched values. */
export interface WatchedEvent {
  event: "watched";
  /** after which they were taken */
  step: number;
  /** in the order of `watch` */
  values: Reading[];
  /** number of the training it comes from */
  training: number;
}

/** A message that could not be carried out, or a step that failed; the training is paused. */
export interface FailedEvent {
  event: "failed";
  /** what was asked */
  message: string;
  error: ErrorDetail;
  /** number of the training it comes from */
  training: number;
}

/** The training is over; no event follows. */
export interface StoppedEvent {
  event: "stopped";
  /** the last one that ran */
  step: number;
  /** number of the training it comes from */
  training: number;
}

/** An edit, as the journal of a model writes it. */
export interface Edit {
  /** what becomes of variables that change their size */
  policy?: "fresh" | "overlap" | "preserve";
  /** carried out together or not at all */
  commands: Record<string, unknown>[];
  [name: string]: unknown;
}

/** How the learning rate changes, as a recipe writes it: its kind, and its settings by name. */
export interface Schedule {
  /** a name of [optimisers.md](optimisers.md#schedules) */
  kind: string;
  [name: string]: unknown;
}

/** Something that was done to the model. */
export interface JournalEntry {
  /** from 1 */
  id: number;
  /** after which it was done, where that is known */
  step?: number;
  /** what was asked */
  how: "apply" | "undo" | "redo";
  text: Words;
  /** an edit that is not in force now */
  undone: boolean;
  /** of an undo or redo the edit that it took back or applied again */
  edit: Edit;
}

/** A text in the two languages. */
export interface Words {
  /** English */
  en: string;
  /** Russian */
  ru: string;
}

/** What is wrong, and how to mend it. */
export interface ErrorDetail {
  /** stable, for programs */
  code: string;
  /** what was given */
  given: string;
  /** what is needed */
  needed: string;
  /** what to do */
  mend?: string;
  /** path of the node */
  node?: string;
  /** line of the program, or place in the file */
  where?: string;
}

/** A variable that an edit changed. */
export interface VariableChange {
  /** its name */
  name: string;
  /** what became of it */
  fate: "resized" | "new" | "dropped";
  /** its type */
  before?: string;
  /** its type */
  after?: string;
}

/** A value whose type an edit changed. */
export interface TypeChange {
  /** of its node */
  path: string;
  /** its type */
  before: string;
  /** its type */
  after: string;
}

/** A tensor with what it holds. */
export interface Tensor {
  /** `f32[2, 3]` */
  type: string;
  /** the least element */
  min?: number | null;
  /** the greatest */
  max?: number | null;
  /** of all */
  mean?: number | null;
  /** whether only the first 256 elements follow */
  elided: boolean;
  /** by rows; null where not finite */
  values: (number | null)[];
}

/** Statistics of a value, over its finite elements. */
export interface Reading {
  /** as asked */
  path: string;
  /** elements */
  count: number;
  /** of these, that are not finite */
  not_finite: number;
  /** mean */
  mean: number | null;
  /** root of the mean square distance from it */
  deviation: number | null;
  /** the least */
  min: number | null;
  /** the greatest */
  max: number | null;
  /** the first elements, by rows */
  preview: (number | null)[];
  histogram: Histogram;
  /** of the loss by this value, where it was asked for; left out where the loss does not depend on it */
  gradient?: Statistics;
}

/** Of a tensor, over its finite elements. */
export interface Statistics {
  /** elements */
  count: number;
  /** of these, that are not finite */
  not_finite: number;
  /** mean */
  mean: number | null;
  /** root of the mean square distance from it */
  deviation: number | null;
  /** the least */
  min: number | null;
  /** the greatest */
  max: number | null;
  /** the first elements, by rows */
  preview: (number | null)[];
  histogram: Histogram;
}

/** How the finite elements are spread, over equal bins. */
export interface Histogram {
  /** lower end of the first bin */
  low: number;
  /** upper end of the last one */
  high: number;
  /** of how many elements it is: all, or 16384 evenly spaced ones */
  sampled: number;
  /** elements in each of 32 bins; of one bin where all are equal, of none where none is finite */
  counts: number[];
}
