import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

// A way from a port of its own to that of a Lab, as `ssh -L` makes one, which can be cut. Whoever connects while it is
// cut is turned away.
export interface Tunnel {
  port: string;
  leadTo(port: string): void;
  cut(): void;
  mend(): void;
  end(): Promise<void>;
}

export async function openTunnel(): Promise<Tunnel> {
  const ends = new Set<Socket>();
  let target = 0;
  let isCut = false;
  const keep = (socket: Socket) => {
    ends.add(socket);
    socket.on('close', () => ends.delete(socket));
    socket.on('error', () => socket.destroy());
  };
  const cut = () => {
    isCut = true;
    for (const each of ends) each.destroy();
  };
  const server = createServer((near) => {
    keep(near);
    if (isCut) return void near.destroy();
    const far = connect(target, '127.0.0.1');
    keep(far);
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: String((server.address() as AddressInfo).port),
    leadTo: (port) => void (target = Number(port)),
    cut,
    mend: () => void (isCut = false),
    end: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
