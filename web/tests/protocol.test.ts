// @vitest-environment node
// The stand-in for a Lab speaks as docs/protocol.schema.json says, as the program does: neither may drift.
import { readFileSync } from 'node:fs';
import Ajv from 'ajv/dist/2020';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import '../mock/commands.mjs';
import { Lab, type Client } from '../mock/lab.mjs';
import type { LabEvent, Message } from '../src/wire/events';
import { encodeTensor, parseTensor } from '../src/wire/tensor';
import { VIEWS } from '../src/wire/types';

const schema = JSON.parse(readFileSync(new URL('../../docs/protocol.schema.json', import.meta.url), 'utf8')) as { $defs: Record<string, { oneOf?: { $ref: string }[] }> };
const ajv = new Ajv({ strict: true, allowUnionTypes: true });
ajv.addKeyword('x-answered-by');
ajv.addSchema(schema, 'protocol');

const namesOf = (...lists: string[]): string[] =>
  lists.flatMap((list) => (schema.$defs[list]?.oneOf ?? []).map(({ $ref }) => $ref.slice($ref.lastIndexOf('.') + 1)));

// Where something breaks the schema; '' where it keeps to it.
function breachOf(kind: 'message' | 'event', value: LabEvent | Message): string {
  const name = 'event' in value ? value.event : value.do;
  const check = ajv.getSchema(`protocol#/$defs/${kind}.${name}`);
  if (!check) return `the schema knows no ${kind} '${name}'`;
  return check(value) ? '' : `${name}: ${ajv.errorsText(check.errors)} in ${JSON.stringify(value).slice(0, 400)}`;
}

// A page that holds all it says and hears against the schema.
function enter(lab: Lab) {
  const heard: LabEvent[] = [];
  const said = new Set<string>();
  const hear = (event: LabEvent) => {
    const received = JSON.parse(JSON.stringify(event)) as LabEvent;
    expect(breachOf('event', received)).toBe('');
    heard.push(received);
  };
  const client: Client = {
    readOnly: false,
    send: hear,
    sendBinary: (bytes) => hear(parseTensor(Uint8Array.from(bytes).buffer)?.header as LabEvent),
    end: () => undefined,
  };
  lab.join(client);
  let ask = 0;
  // Says it, and gives what answers it.
  const say = (message: Message): LabEvent | undefined => {
    ask += 1;
    const whole = { ...message, ask };
    expect(breachOf('message', whole)).toBe('');
    said.add(message.do);
    lab.hear(client, whole);
    return heard.find((event) => 'ask' in event && event.ask === ask);
  };
  return { heard, said, say };
}

type Page = ReturnType<typeof enter>;

// Opens all that opens, down to the second block, and has every item described.
function lookEverywhere({ say }: Page): void {
  for (const view of VIEWS) {
    const scopes = [''];
    for (const scope of scopes) {
      const level = say({ do: 'level', view, scope });
      if (level?.event !== 'level') throw new Error(`no level '${scope}' of ${view}`);
      for (const { path, opens } of level.items) {
        if (/block_(?![01]\b)\d/.test(path)) continue;
        if (opens) scopes.push(path);
        expect(say({ do: 'describe', view, path })?.event).toBe('described');
      }
    }
    expect(scopes.length).toBeGreaterThan(view === 'plan' ? 0 : 3);
  }
}

const edit = (command: Record<string, unknown>): Message => ({ do: 'apply', edit: { commands: [command] } });

function change({ say }: Page): void {
  const at = 'block_0/feed_forward/activation';
  expect(say(edit({ do: 'replace_op', at, op: 'Gelu' }))?.event).toBe('edit_applied');
  expect(say(edit({ do: 'set_constant', node: 'block_0/attention/factor', value: encodeTensor('f32[]', [0.5]) }))?.event).toBe('edit_applied');
  expect(say(edit({ do: 'replace_op', at: 'nowhere', op: 'Relu' }))?.event).toBe('edit_refused');
  expect(say({ do: 'undo' })?.event).toBe('edit_applied');
  expect(say({ do: 'redo' })?.event).toBe('edit_applied');
  expect(say({ do: 'journal' })?.event).toBe('journal');
  expect(say({ do: 'snapshot', label: 'here' })?.event).toBe('snapshot_taken');
  expect(say({ do: 'set_learning_rate', rate: 0.01 })?.event).toBe('learning_rate_set');
  expect(say({ do: 'set_schedule', schedule: { kind: 'cosine', steps: 40 } })?.event).toBe('schedule_set');
  expect(say({ do: 'set_optimizer', settings: { beta1: 0.8 } })?.event).toBe('optimizer_set');
  expect(say({ do: 'reset', paths: ['block_0'] })?.event).toBe('reset_done');
  expect(say({ do: 'read', path: 'block_0/attention/query.weight' })?.event).toBe('value_read');
  expect(say({ do: 'set_value', path: 'block_0/attention/query.weight', value: 0 })?.event).toBe('value_set');
  expect(say({ do: 'evaluate' })?.event).toBe('evaluated');
  expect(say({ do: 'save' })?.event).toBe('checkpoint_saved');
  expect(say({ do: 'load', which: 'latest' })?.event).toBe('checkpoint_loaded');
  expect(say({ do: 'return_to', id: 1 })?.event).toBe('returned');
  expect(say({ do: 'branch', label: 'other' })?.event).toBe('branched');
  expect(say({ do: 'open', source: { zoo: 'lenet' }, data: 'digits' })?.event).toBe('opened');
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('the stand-in understands and says what the schema says', () => {
  const page = enter(new Lab());
  const { heard, said, say } = page;
  say({ do: 'run', steps: 30 });
  vi.advanceTimersByTime(10_000);
  say({ do: 'step' });
  expect(say({ do: 'subscribe', values: ['block_0/attention/shares:0'], gradients: true, every: 1 })?.event).toBe('watched');
  expect(say({ do: 'tensor', value: 'block_0/attention/shares:0', limit: 100 })?.event).toBe('tensor');
  expect(say({ do: 'find', view: 'model', text: 'gelu', limit: 3 })?.event).toBe('found');
  expect(say({ do: 'locate', view: 'model', path: 'block_0/attention/shares' })?.event).toBe('located');
  expect(say({ do: 'plan' })?.event).toBe('plan');
  expect(say({ do: 'costs' })?.event).toBe('costs');
  lookEverywhere(page);
  change(page);
  expect(say({ do: 'history' })?.event).toBe('history');
  expect(say({ do: 'level', view: 'model', scope: 'nowhere' })?.event).toBe('failed');
  say({ do: 'set_learning_rate', rate: 10 });
  say({ do: 'run' });
  vi.advanceTimersByTime(1000);
  say({ do: 'pause' });
  say({ do: 'stop' });

  // Pages subscribe; to watch is for scripts. The data of the stand-in have no epochs.
  expect([...said].sort()).toEqual(namesOf('message', 'lab_message').filter((name) => name !== 'watch').sort());
  expect([...new Set(heard.map(({ event }) => event))].sort()).toEqual(namesOf('event', 'lab_event').filter((name) => name !== 'epoch_done').sort());
});

it('what the schema does not know is noticed', () => {
  expect(breachOf('event', { event: 'clients', count: 1, surprise: true } as LabEvent)).toContain('additional');
  expect(breachOf('event', { event: 'subscribed' } as unknown as LabEvent)).toContain('knows no');
});
