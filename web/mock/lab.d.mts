import type { LabEvent, Message } from '../src/wire/events';

export interface Client {
  readOnly: boolean;
  send(event: LabEvent): void;
  sendBinary(bytes: Uint8Array): void;
  end(): void;
}

export class Lab {
  join(client: Client): void;
  quit(client: Client): void;
  hear(client: Client, message: Message & { ask?: number }): void;
}
