import { askOf, parseEvent, type LabEvent, type Message } from './events';
import { parseTensor, type TensorFrame } from './tensor';
import type { LabError } from './types';

export type Status = 'connecting' | 'open' | 'lost';

// The part of WebSocket that is used, so that tests can stand in for it.
export interface Socket {
  binaryType: string;
  readyState: number;
  onopen: ((event: Event) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
  send(text: string): void;
  close(): void;
}

export interface Listener {
  event(event: LabEvent): void;
  tensor(frame: TensorFrame): void;
  status(status: Status, attempt: number): void;
}

// A refusal by the Lab, or the loss of the connection while an answer was awaited.
export class Refusal extends Error {
  constructor(readonly error: LabError) {
    super(`${error.given}. ${error.needed}`);
  }
}

interface Waiting {
  resolve(answer: LabEvent | TensorFrame): void;
  reject(reason: Refusal): void;
}

const FIRST_DELAY = 400;
const LONGEST_DELAY = 8000;

// How long to wait before attempt number `attempt` (from 1): doubled each time, with a little chance in it, so that
// many pages do not come back in the same moment.
export function backOff(attempt: number, chance: number): number {
  const whole = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (attempt - 1));
  return whole * (0.75 + 0.5 * chance);
}

// One WebSocket that comes back by itself. What was subscribed and shown is restored by the listener when the Lab
// greets it again.
export class Connection {
  private socket: Socket | null = null;
  private attempt = 0;
  private nextAsk = 1;
  private ended = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly waiting = new Map<number, Waiting>();

  constructor(
    private readonly url: string,
    private readonly listener: Listener,
    private readonly open: (url: string) => Socket = (address) => new WebSocket(address),
  ) {}

  start(): void {
    this.listener.status(this.attempt === 0 ? 'connecting' : 'lost', this.attempt);
    const socket = this.open(this.url);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      this.attempt = 0;
      this.listener.status('open', 0);
    };
    socket.onmessage = (message) => this.receive(message.data);
    socket.onclose = () => this.lost(socket);
    this.socket = socket;
  }

  end(): void {
    this.ended = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }

  // Tries at once instead of waiting for the next attempt.
  hurry(): void {
    if (this.socket !== null || this.ended) return;
    clearTimeout(this.timer);
    this.start();
  }

  get isOpen(): boolean {
    return this.socket !== null && this.socket.readyState === 1;
  }

  // Sends a message and gives its direct answer.
  ask(message: Message): Promise<LabEvent | TensorFrame> {
    const ask = this.nextAsk++;
    if (!this.isOpen) return Promise.reject(new Refusal(lostError(message.do)));
    return new Promise((resolve, reject) => {
      this.waiting.set(ask, { resolve, reject });
      this.socket?.send(JSON.stringify({ ...message, ask }));
    });
  }

  // Sends a message that has no direct answer; a refusal still comes as an event.
  tell(message: Message): void {
    if (this.isOpen) this.socket?.send(JSON.stringify(message));
  }

  private receive(data: unknown): void {
    if (data instanceof ArrayBuffer) {
      const frame = parseTensor(data);
      if (!frame) return;
      this.answer(frame.header.ask, frame);
      this.listener.tensor(frame);
      return;
    }
    if (typeof data !== 'string') return;
    const event = parseEvent(data);
    if (!event) return;
    this.listener.event(event);
    if (event.event === 'failed') this.refuse(askOf(event), event.error);
    else if (event.event === 'edit_refused') this.refuse(askOf(event), event.problems[0] ?? lostError('apply'));
    else this.answer(askOf(event), event);
  }

  private answer(ask: number | undefined, answer: LabEvent | TensorFrame): void {
    if (ask === undefined) return;
    this.waiting.get(ask)?.resolve(answer);
    this.waiting.delete(ask);
  }

  private refuse(ask: number | undefined, error: LabError): void {
    if (ask === undefined) return;
    this.waiting.get(ask)?.reject(new Refusal(error));
    this.waiting.delete(ask);
  }

  private lost(socket: Socket): void {
    if (this.socket !== socket) return;
    this.socket = null;
    for (const waiting of this.waiting.values()) waiting.reject(new Refusal(lostError('')));
    this.waiting.clear();
    if (this.ended) return;
    this.attempt += 1;
    this.listener.status('lost', this.attempt);
    this.timer = setTimeout(() => this.start(), backOff(this.attempt, Math.random()));
  }
}

function lostError(message: string): LabError {
  return { code: 'connection_lost', given: message, needed: 'a connection to the Lab' };
}
