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
  | StopMessage
  | LevelMessage
  | DescribeMessage
  | FindMessage
  | LocateMessage
  | SubscribeMessage
  | TensorMessage
  | HistoryMessage
  | PlanMessage
  | CostsMessage
  | OpenMessage;

export type MessageName = Message["do"];

export type LabEvent =
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
  | StoppedEvent
  | WelcomeEvent
  | ClientsEvent
  | TrainingEvent
  | OpenedEvent
  | LevelEvent
  | DescribedEvent
  | FoundEvent
  | LocatedEvent
  | TensorEvent
  | HistoryEvent
  | PlanEvent
  | CostsEvent
  | EvaluatedConeEvent;

export type EventName = LabEvent["event"];

/** Trains: that many steps, or without `steps` until `pause`. The end of the course ends a run too, unless it lies behind when the run begins: then training goes on beyond it. */
export interface RunMessage {
  do: "run";
  /** how many steps */
  steps?: number;
  ask?: Ask;
  /** number of the training; without it the first one */
  training?: number;
}

/** Trains one step. */
export interface StepMessage {
  do: "step";
  ask?: Ask;
  /** number of the training; without it the first one */
  training?: number;
}

/** Stops at the end of the step. */
export interface PauseMessage {
  do: "pause";
  ask?: Ask;
  /** number of the training; without it the first one */
  training?: number;
}

/** Changes the model between two steps. Nodes and variables are given by id or by name; a place inside a layer is a path such as `block/feed_forward/activation`. */
export interface ApplyMessage {
  do: "apply";
  /** commands in the form of the journal, with the policy for variables that change their size */
  edit: Edit;
  ask?: Ask;
  /** number of the training; without it the first one */
  training?: number;
}

/** Takes back the last change: an edit, a reset, a value, the learning rate, the schedule or settings of the optimizer. Where no step was made since, all values and all state of the optimizer are what they were, bit by bit; else what was learned since stays where it fits. */
export interface UndoMessage {
  do: "undo";
  ask?: Ask;
  /** number of the training; without it the first one */
  training?: number;
}

/** Applies again what was undone. */
export interface RedoMessage {
  do: "redo";
  ask?: Ask;
  /** number of the training; without it the first one */
  training?: number;
}

/** Keeps model, values, optimiser state and counters in memory. */
export interface SnapshotMessage {
  do: "snapshot";
  /** for people */
  label?: string;
  ask?: Ask;
  /** number of the training; without it the first one */
  training?: number;
}

/** Restores all of a snapshot. */
export interface ReturnToMessage {
  do: "return_to";
  /** of the snapshot */
  id: number;
  ask?: Ask;
  /** number of the training; without it the first one */
  training?: number;
}

/** A variable by name, or the value of a node by its path, in eval mode on the last batch. */
export interface ReadMessage {
  do: "read";
  /** name or path */
  path: string;
  ask?: Ask;
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
  ask?: Ask;
  /** number of the training; without it the first one */
  training?: number;
}

/** The rate that the schedule scales, from the next step on. Nothing is compiled anew. */
export interface SetLearningRateMessage {
  do: "set_learning_rate";
  /** at least 0 */
  rate: number;
  ask?: Ask;
  /** number of the training; without it the first one */
  training?: number;
}

/** The course goes on under another schedule of the learning rate, from the next step on. The number of updates, which schedules count, goes on. */
export interface SetScheduleMessage {
  do: "set_schedule";
  schedule: Schedule;
  ask?: Ask;
  /** number of the training; without it the first one */
  training?: number;
}

/** Other numbers for the optimiser that the training has. Its state stays where it still applies; the step is compiled anew where it must be. */
export interface SetOptimizerMessage {
  do: "set_optimizer";
  /** by name, see [optimisers.md](optimisers.md); `learning_rate` is the rate that the schedule scales */
  settings: Record<string, unknown>;
  ask?: Ask;
  /** number of the training; without it the first one */
  training?: number;
}

/** Gives variables the values they began with, and begins their optimiser state anew. A snapshot is taken before. */
export interface ResetMessage {
  do: "reset";
  /** names of layers, scopes or variables; an empty list means all variables */
  paths: string[];
  ask?: Ask;
  /** number of the training; without it the first one */
  training?: number;
}

/** All that was done to the model. */
export interface JournalMessage {
  do: "journal";
  ask?: Ask;
  /** number of the training; without it the first one */
  training?: number;
}

/** Statistics of values of the model after every so many steps, until the next `watch`; an empty list ends it. Training itself does not notice. In the Lab it is `subscribe` under another name: each client watches for itself. */
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
  ask?: Ask;
  /** number of the training; without it the first one */
  training?: number;
}

/** The model in eval mode on a data set. */
export interface EvaluateMessage {
  do: "evaluate";
  /** its name; without it `held_out` */
  dataset?: string;
  ask?: Ask;
  /** number of the training; without it the first one */
  training?: number;
}

/** Writes a checkpoint into the folder of the training. */
export interface SaveMessage {
  do: "save";
  ask?: Ask;
  /** number of the training; without it the first one */
  training?: number;
}

/** Resumes from a checkpoint. One of another kind of optimizer, or of another model whose variables have other shapes, is refused; `partial` loads what fits. A snapshot is taken before, to which `return_to` leads back; `undo` and `redo` are then those of the checkpoint. */
export interface LoadMessage {
  do: "load";
  /** `latest`, `best`, or the folder of a checkpoint; without it `latest` */
  which?: string;
  /** load only the values that fit, by name, type and shape; model and counters stay as they are */
  partial?: boolean;
  ask?: Ask;
  /** number of the training; without it the first one */
  training?: number;
}

/** Another training begins where this one stands, paused, and can train beside it. It gets messages that carry its number as `training`. */
export interface BranchMessage {
  do: "branch";
  /** for people */
  label?: string;
  ask?: Ask;
  /** number of the training; without it the first one */
  training?: number;
}

/** Ends the training; the end of a script does so too. */
export interface StopMessage {
  do: "stop";
  ask?: Ask;
  /** number of the training; without it the first one */
  training?: number;
}

/** The inside of one scope or layer, not deeper. */
export interface LevelMessage {
  do: "level";
  view: View;
  /** its path; "" is the whole */
  scope: string;
  ask?: Ask;
  /** number of the training; without it the first one */
  training?: number;
}

/** All that a person may want to know of one item. */
export interface DescribeMessage {
  do: "describe";
  view: View;
  /** of the item */
  path: string;
  ask?: Ask;
  /** number of the training; without it the first one */
  training?: number;
}

/** Items whose paths, ops or variables contain a text, in any case of letters; the best first. */
export interface FindMessage {
  do: "find";
  view: View;
  /** what to look for */
  text: string;
  /** at most so many; 50 where it is not given */
  limit?: number;
  ask?: Ask;
  /** number of the training; without it the first one */
  training?: number;
}

/** The same thing in the other views, by its origin in the model. */
export interface LocateMessage {
  do: "locate";
  view: View;
  /** of the item */
  path: string;
  ask?: Ask;
  /** number of the training; without it the first one */
  training?: number;
}

/** Replaces what this client watches in the training; an empty list ends it. Values that cannot be watched are refused. */
export interface SubscribeMessage {
  do: "subscribe";
  /** paths of values, as `watch` takes them */
  values: string[];
  /** whether the gradient of the loss by each value is told too */
  gradients?: boolean;
  /** steps between two readings; 1 where it is not given */
  every?: number;
  ask?: Ask;
  /** number of the training; without it the first one */
  training?: number;
}

/** The numbers of a value, of the last batch; of a variable also before the first one. */
export interface TensorMessage {
  do: "tensor";
  /** its path, as `watch` takes it */
  value: string;
  /** the gradient of the loss by it instead */
  gradient?: boolean;
  /** at most so many elements; 65536 where it is not given */
  limit?: number;
  ask?: Ask;
  /** number of the training; without it the first one */
  training?: number;
}

/** What a chart shows of the training so far. */
export interface HistoryMessage {
  do: "history";
  ask?: Ask;
  /** number of the training; without it the first one */
  training?: number;
}

/** The memory of a step: which buffer lies where, and for how long. */
export interface PlanMessage {
  do: "plan";
  ask?: Ask;
  /** number of the training; without it the first one */
  training?: number;
}

/** What each part of the model takes of a step. From the first time that somebody asks, steps are measured; the answer has times when one was. */
export interface CostsMessage {
  do: "costs";
  ask?: Ask;
  /** number of the training; without it the first one */
  training?: number;
}

/** Another training is made, and begins paused. */
export interface OpenMessage {
  do: "open";
  source: Source;
  /** name of the data set, where the source does not say */
  data?: string;
  ask?: Ask;
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
  ask?: Ask;
  /** number of the training it comes from */
  training: number;
}

/** Something a person should know of; the training goes on. */
export interface WarnedEvent {
  event: "warned";
  /** in a sentence */
  text: Words;
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
  what: Words;
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
  /** that the resized variables follow; preserve: the outputs are the same as before in eval mode */
  policy?: "fresh" | "overlap" | "preserve";
  /** why the policy auto became overlap */
  not_preserved?: string;
  ask?: Ask;
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
  ask?: Ask;
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
  ask?: Ask;
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
  ask?: Ask;
  /** number of the training it comes from */
  training: number;
}

/** A value. */
export interface ValueReadEvent {
  event: "value_read";
  /** as asked */
  path: string;
  value: Tensor;
  ask?: Ask;
  /** number of the training it comes from */
  training: number;
}

/** A variable has other numbers. */
export interface ValueSetEvent {
  event: "value_set";
  /** its name */
  path: string;
  ask?: Ask;
  /** number of the training it comes from */
  training: number;
}

/** The learning rate is another one. */
export interface LearningRateSetEvent {
  event: "learning_rate_set";
  /** before the schedule */
  rate: number;
  ask?: Ask;
  /** number of the training it comes from */
  training: number;
}

/** The learning rate follows another schedule. */
export interface ScheduleSetEvent {
  event: "schedule_set";
  schedule: Schedule;
  /** for people: `cosine(minimum 0.1, steps 1000)` */
  text: string;
  ask?: Ask;
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
  ask?: Ask;
  /** number of the training it comes from */
  training: number;
}

/** Variables have the values they began with. */
export interface ResetDoneEvent {
  event: "reset_done";
  /** their names */
  variables: string[];
  ask?: Ask;
  /** number of the training it comes from */
  training: number;
}

/** All that was changed by hand, oldest first. */
export interface JournalEvent {
  event: "journal";
  /** changes, undos and redos */
  entries: JournalEntry[];
  /** whether `undo` has a change to take back */
  can_undo: boolean;
  /** whether `redo` has one to apply again */
  can_redo: boolean;
  ask?: Ask;
  /** number of the training it comes from */
  training: number;
}

/** What the model reaches on a data set, in eval mode. */
export interface EvaluatedEvent {
  event: "evaluated";
  /** after which it was evaluated */
  step: number;
  /** its name */
  dataset: string;
  /** how many */
  examples: number;
  /** mean over the examples */
  loss: number | null;
  /** share of examples whose largest logit is at their label, for classes */
  accuracy?: number;
  /** numbers by name, where the course asks for metrics; null for one that is not finite */
  metrics?: Record<string, number | null>;
  ask?: Ask;
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
  ask?: Ask;
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
  part?: LoadedPart;
  ask?: Ask;
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
  ask?: Ask;
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
  ask?: Ask;
  /** number of the training it comes from */
  training: number;
}

/** A message that could not be carried out: it changed nothing, and a training that runs goes on. Or, with the message `run`, a step that failed: then the training pauses, and `paused` follows. */
export interface FailedEvent {
  event: "failed";
  /** what was asked */
  message: string;
  error: ErrorDetail;
  /** where a step failed: messages of which each leads back to before it, the nearest first */
  way_back?: WayBack[];
  ask?: Ask;
  /** number of the training it comes from; left out where the Lab refuses a message itself */
  training?: number;
}

/** The training is over; no event follows. */
export interface StoppedEvent {
  event: "stopped";
  /** the last one that ran */
  step: number;
  ask?: Ask;
  /** number of the training it comes from */
  training: number;
}

/** Greets a client that has connected. */
export interface WelcomeEvent {
  event: "welcome";
  /** of the program */
  version: string;
  /** whether this client may only look */
  read_only: boolean;
  /** in which the page begins */
  lang: "en" | "ru";
  /** all of them */
  trainings: Training[];
}

/** Somebody has come or gone. */
export interface ClientsEvent {
  event: "clients";
  /** of clients that are connected */
  count: number;
}

/** A training was added, or its state changed in more than its step. */
export interface TrainingEvent {
  event: "training";
  state: Training;
  /** number of the training it comes from */
  training: number;
}

/** A training was made; `training` is its number. */
export interface OpenedEvent {
  event: "opened";
  ask?: Ask;
  /** number of the training it comes from */
  training: number;
}

/** The inside of a scope or layer. */
export interface LevelEvent {
  event: "level";
  /** of the graph, as graph_ready tells it; what has another one is stale */
  version: number;
  view: View;
  /** as asked */
  scope: string;
  /** what the scope is: name of the layer, or "" */
  title: string;
  /** boxes, inputs before their users where scopes allow it */
  items: Item[];
  /** between these items */
  edges: Edge[];
  /** values that come from outside */
  inlets: Port[];
  /** values that are used outside */
  outlets: Port[];
  /** values with so many users that lines would hide the rest */
  portals: Portal[];
  /** edges and ends of portals that are not told, where there are more than a picture can hold */
  left_out?: number;
  ask?: Ask;
  /** number of the training it comes from */
  training: number;
}

/** One item in words. */
export interface DescribedEvent {
  event: "described";
  /** of the graph, as graph_ready tells it; what has another one is stale */
  version: number;
  view: View;
  /** of the item */
  path: string;
  /** paths of the scopes and layers to be opened, from the outside in, where it is to be seen; parts such as `1–317` of a large scope are in no other path */
  scopes: string[];
  /** exact name; "" of a plain scope */
  op: string;
  /** of the op; "" of a plain scope */
  category: string;
  /** for people */
  title: Words;
  /** what it does */
  what: Words;
  /** why it appears in models */
  why: Words;
  /** MathML; "" where there is none */
  formula: string;
  /** the same as a line of text */
  formula_text: string;
  /** of a variable in this model */
  role?: Words;
  /** what it is computed from */
  inputs: DescribedInput[];
  /** what it gives */
  outputs: DescribedOutput[];
  /** its settings */
  attributes: Attribute[];
  /** its parameters and other state */
  variables: Variable[];
  literal?: Literal;
  /** ops that may take its place and keep the types */
  replacements: Replacement[];
  /** why there are none */
  why_not?: Words;
  /** as in a level */
  flags: Flag[];
  /** paths of the model that it comes from; none in the model itself */
  origins: string[];
  repeats?: Repeats;
  /** line of the program that built it */
  where?: string;
  ask?: Ask;
  /** number of the training it comes from */
  training: number;
}

/** Items that match. */
export interface FoundEvent {
  event: "found";
  /** of the graph, as graph_ready tells it; what has another one is stale */
  version: number;
  /** the best first */
  items: FoundItem[];
  /** that match too */
  more: number;
  ask?: Ask;
  /** number of the training it comes from */
  training: number;
}

/** Where something is in every view. */
export interface LocatedEvent {
  event: "located";
  /** of the graph, as graph_ready tells it; what has another one is stale */
  version: number;
  places: Places;
  ask?: Ask;
  /** number of the training it comes from */
  training: number;
}

/** Head of a binary frame: the bytes `ASGT`, the length of this object as u32, the object filled up with spaces to a multiple of 4 bytes, which the length counts, then the elements by rows as f32. All is little-endian. */
export interface TensorEvent {
  event: "tensor";
  /** as asked */
  value: string;
  /** as asked */
  gradient: boolean;
  /** `f32[28, 28]` */
  type: string;
  /** its sizes */
  shape: number[];
  /** elements of the whole value */
  count: number;
  /** whether only the first ones follow */
  elided: boolean;
  ask?: Ask;
  /** number of the training it comes from */
  training: number;
}

/** What a chart shows of a training: at most 4000 steps, evenly thinned, the last among them. */
export interface HistoryEvent {
  event: "history";
  columns: Columns;
  /** oldest first */
  evaluations: Evaluation[];
  /** what happened when */
  marks: Mark[];
  ask?: Ask;
  /** number of the training it comes from */
  training: number;
}

/** The memory of a step, as data for a picture: steps from left to right, places in the arena from the bottom up. */
export interface PlanEvent {
  event: "plan";
  /** of the graph, as graph_ready tells it; what has another one is stale */
  version: number;
  /** bytes */
  arena: number;
  /** bytes: the most that is alive at once */
  lower_bound: number;
  /** share of the lower bound that the arena has beyond it */
  waste: number;
  /** bytes */
  variables: number;
  /** bytes */
  scratch: number;
  /** in order */
  steps: PlanStep[];
  /** pieces of the arena */
  buffers: PlanBuffer[];
  /** bytes by step */
  alive: number[];
  ask?: Ask;
  /** number of the training it comes from */
  training: number;
}

/** What each part of the model takes of a step of training. The work of a fused kernel is divided among its nodes by their operations, which is an estimate. */
export interface CostsEvent {
  event: "costs";
  /** of the graph, as graph_ready tells it; what has another one is stale */
  version: number;
  /** of the training, after which this was true */
  step: number;
  /** nodes, layers and scopes of the model, by path */
  parts: Cost[];
  ask?: Ask;
  /** number of the training it comes from */
  training: number;
}

/** The loss on the last batch after a change while the training waits; only what depends on the change was computed. */
export interface EvaluatedConeEvent {
  event: "evaluated_cone";
  /** the last one that ran */
  step: number;
  /** null where it is not finite */
  loss: number | null;
  /** nodes that were computed */
  computed: number;
  /** nodes whose values were known */
  kept: number;
  /** number of the training it comes from */
  training: number;
}

/** An edit, as the journal of a model writes it. */
export interface Edit {
  /** what becomes of variables that change their size; without it auto: preserve where that can hold, else overlap */
  policy?: "auto" | "fresh" | "overlap" | "preserve";
  /** carried out together or not at all */
  commands: Record<string, unknown>[];
  [name: string]: unknown;
}

/** How the learning rate changes, as a recipe writes it: its kind, and its settings by name. */
export interface Schedule {
  /** a name of [optimisers.md](optimisers.md#schedules); without it `constant` */
  kind?: string;
  [name: string]: unknown;
}

/** What became of the variables when a part of a checkpoint was loaded. */
export interface LoadedPart {
  /** names of variables that took their values from the checkpoint */
  loaded: string[];
  /** of the checkpoint, that do not fit the model */
  skipped: SkippedVariable[];
  /** names of variables of the model that keep the values they had */
  left: string[];
  /** whether the optimizer state of what was loaded came along */
  optimizer: boolean;
}

/** A variable of a checkpoint that was not loaded. */
export interface SkippedVariable {
  /** in the checkpoint */
  name: string;
  /** for people */
  why: string;
}

/** A change of the training, or an undo or redo of one. */
export interface JournalEntry {
  /** from 1 */
  id: number;
  /** after which it was done, where that is known */
  step?: number;
  /** what was asked */
  how: "apply" | "undo" | "redo" | "reset" | "set_value" | "set_learning_rate" | "set_schedule" | "set_optimizer";
  text: Words;
  /** a change that is not in force now */
  undone: boolean;
  /** of an undo or redo of an edit the one that it took back or applied again; other changes have none */
  edit?: Edit;
  /** of a reset: what `return_to` takes it back to */
  snapshot?: number;
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

/** A message that leads back to where the training could go on: `undo` of the last change, or `return_to` the last snapshot. */
export interface WayBack {
  /** the message */
  do: "undo" | "return_to";
  /** of the snapshot */
  id?: number;
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
  /** that a resized one follows; fresh also where nothing of it can be kept */
  policy?: "fresh" | "overlap" | "preserve";
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
  /** null where no element is finite */
  histogram: Histogram | null;
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
  /** null where no element is finite */
  histogram: Histogram | null;
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

/** A number of the client's choice: the direct answer in the Lab, or the refusal, carries the same one. */
export type Ask = number;

/** A way to look at one model */
export const VIEWS = ["model", "expanded", "gradient", "optimised", "plan"] as const;
export type View = (typeof VIEWS)[number];

/** Something to be seen at a glance */
export const FLAGS = ["output", "frozen", "parameter", "input", "constant"] as const;
export type Flag = (typeof FLAGS)[number];

/** A training as it stands. */
export interface Training {
  /** its number */
  id: number;
  /** for people */
  label: string;
  /** what it does */
  state: "running" | "paused" | "stopped" | "failed";
  /** the last one that ran */
  step: number;
  /** of the graph; 0: there is none yet */
  version: number;
  /** of a branch */
  parent: Parent | null;
  /** that the schedule scales */
  learning_rate: number;
  /** for people; "" where there is none */
  schedule: string;
  optimizer: Optimizer;
  /** that `evaluate` knows */
  datasets: string[];
  /** whether it has a folder for checkpoints */
  can_save: boolean;
  course: Course;
  /** that `return_to` knows, oldest first */
  snapshots: Snapshot[];
}

/** Where a branch began. */
export interface Parent {
  /** the other one */
  training: number;
  /** of the other one */
  step: number;
}

/** An optimiser with all its settings. */
export interface Optimizer {
  /** its kind */
  name: string;
  /** by name, defaults included */
  settings: Record<string, number | boolean>;
}

/** What a training was begun for. */
export interface Course {
  /** after which it is over; null where it has no end */
  steps: number | null;
}

/** What can be returned to. */
export interface Snapshot {
  /** for `return_to` */
  id: number;
  /** at which it was taken */
  step: number;
  text: Words;
}

/** Where a training comes from: exactly one of these. Files lie below the workspace of the Lab. */
export interface Source {
  /** name of a model of the zoo */
  zoo?: string;
  /** file of a model */
  json?: string;
  /** folder of a training */
  run?: string;
  /** file of a recipe */
  recipe?: string;
}

/** A box: a node, a layer, a scope, a fused step, a buffer. */
export interface Item {
  /** names it in this view */
  path: string;
  /** what it is called inside its scope */
  name: string;
  /** "" of a plain scope */
  op: string;
  /** of the op; "" of a plain scope */
  category: string;
  /** whether `level` shows its inside */
  opens: boolean;
  /** how many it stands for */
  nodes: number;
  /** numbers in its variables that are trained */
  parameters: number;
  /** what it gives */
  outputs: ItemOutput[];
  /** what to show at a glance */
  flags: Flag[];
  /** its part in the training step */
  role: "forward" | "loss" | "gradient" | "update";
  /** paths of the model that it comes from; of derived views only */
  origins?: string[];
  repeats?: Repeats;
  /** that it takes, where it was measured */
  seconds?: number;
  /** that it gives */
  bytes?: number;
  /** operations with numbers */
  flops?: number;
}

/** An output of an item. */
export interface ItemOutput {
  /** its name */
  name: string;
  /** `f32[12, 64, 128]` */
  type: string;
}

/** One of several neighbours of the same structure, each of which feeds the next. */
export interface Repeats {
  /** path of the first */
  of: string;
  /** from 0 */
  index: number;
  /** how many there are */
  count: number;
}

/** Values that go from one item to another, merged. */
export interface Edge {
  /** path of an item */
  from: string;
  /** path of an item */
  to: string;
  /** the first of them, for statistics: `path:0` */
  value: string;
  /** of that value */
  type: string;
  /** how many values */
  count: number;
  /** another way between the two leads through other items */
  skips: boolean;
}

/** A value that crosses the border of the scope. */
export interface Port {
  /** for people */
  name: string;
  /** `path:0` */
  value: string;
  /** its type */
  type: string;
  /** paths of the items that use or make it */
  items: string[];
}

/** A value with many users in one level. */
export interface Portal {
  /** for people */
  name: string;
  /** `path:0` */
  value: string;
  /** its type */
  type: string;
  /** path of the item that makes it; null: it comes from outside */
  from: string | null;
  /** paths of the items that use it */
  to: string[];
}

/** What an item is computed from. */
export interface DescribedInput {
  /** of the input */
  name: string;
  /** path of the item that makes it; "" where only control flow gives it */
  from: string;
  /** `path:0` */
  value: string;
  /** its type */
  type: string;
}

/** What an item gives. */
export interface DescribedOutput {
  /** of the output */
  name: string;
  /** `path:0` */
  value: string;
  /** its type */
  type: string;
  /** paths of the items that use it */
  to: string[];
  /** name of the model's output that it is */
  output_as?: string;
}

/** A setting of an op or layer. */
export interface Attribute {
  /** its name */
  name: string;
  /** of field to edit it in */
  kind: "number" | "integer" | "text" | "boolean" | "list";
  value: AttributeValue;
  default: AttributeValue;
  /** the only values there are, where they are limited */
  choices?: (string | number)[];
  /** smallest value */
  least?: number;
  /** greatest value */
  most?: number;
  /** another value leaves types and parameters as they are */
  keeps_shape: boolean;
  words: Words;
}

/** The value of a setting; null where there is none. */
export type AttributeValue = number | string | boolean | (number | string | null)[] | null;

/** State of an item. */
export interface Variable {
  /** its name */
  name: string;
  /** its type */
  type: string;
  /** what it is for */
  kind: "parameter" | "buffer" | "optimizer" | "random" | "cache" | "counter";
  /** whether training changes it */
  trainable: boolean;
  /** numbers in it */
  count: number;
  /** its part in this model */
  role: Words;
}

/** Numbers that are written in the model. */
export interface Literal {
  /** its type */
  type: string;
  /** by rows; null where not finite */
  values: (number | null)[];
  /** whether only the first ones follow */
  elided: boolean;
}

/** An op that may take the place of another. */
export interface Replacement {
  /** exact name */
  op: string;
  title: Words;
}

/** An item that matches. */
export interface FoundItem {
  view: View;
  /** of the item */
  path: string;
  /** "" of a plain scope */
  op: string;
  /** inside its scope */
  name: string;
  /** of the op */
  category: string;
}

/** Paths by view. Views that do not stand yet are left out: what the device runs is known when it has run. */
export interface Places {
  /** in this view */
  model: string[];
  /** in this view */
  expanded: string[];
  /** in this view */
  gradient: string[];
  /** in this view */
  optimised?: string[];
  /** in this view */
  plan?: string[];
}

/** One element per step in each. */
export interface Columns {
  /** from 1 */
  step: number[];
  /** null where not finite */
  loss: (number | null)[];
  /** that was used */
  learning_rate: number[];
  /** null where not measured or not finite */
  gradient_norm: (number | null)[];
  /** that it took */
  seconds: number[];
}

/** What a part of the model takes of a step, with all that lies in it. */
export interface Cost {
  /** in the model; empty of the whole */
  path: string;
  /** of the values that it makes */
  bytes: ByRole;
  /** left out until a step was measured */
  seconds?: ByRole;
}

/** A number for each of the three parts of a training step. */
export interface ByRole {
  /** with the loss */
  forward: number;
  /** of the loss */
  gradient: number;
  /** of the variables */
  update: number;
}

/** What a model reached on a data set. */
export interface Evaluation {
  /** after which */
  step: number;
  /** its name */
  dataset: string;
  /** mean over the examples */
  loss: number | null;
  /** for classes */
  accuracy?: number | null;
  /** by name; null where not finite */
  metrics?: Record<string, number | null>;
}

/** Something that happened to a training. */
export interface Mark {
  /** after which */
  step: number;
  /** what it was */
  kind: "edit" | "snapshot" | "checkpoint" | "branch" | "learning_rate";
  text: Words;
}

/** A call of the device. */
export interface PlanStep {
  /** `Mul ×2, Add` */
  title: string;
  /** `elementwise` */
  kind: string;
  /** in the optimised view */
  path: string;
  /** that it takes, where it was measured */
  seconds?: number;
}

/** A piece of the arena while it is alive. */
export interface PlanBuffer {
  /** for people */
  name: string;
  /** in the view of the plan */
  path: string;
  /** in bytes */
  offset: number;
  /** in bytes */
  size: number;
  /** step */
  first: number;
  /** step */
  last: number;
}
