import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A name that leads to a server, and may lead to another one day. */
export type TcpProxy = {
  readonly port: number;
  /** Where new connections lead. Those that are open stay where they are. */
  lead(port: number): void;
  /** Breaks what clients have open off. The servers do not hear of it, as where a network is cut. */
  cut(): void;
  close(): Promise<void>;
};

export async function startTcpProxy(port: number): Promise<TcpProxy> {
  let target = port;
  const near = new Set<Socket>();
  const far = new Set<Socket>();
  const server = createServer((socket) => {
    const upstream = connect(target, '127.0.0.1');
    near.add(socket);
    far.add(upstream);
    // Not by pipe, which would pass the end on.
    socket.on('data', (bytes) => upstream.write(bytes));
    upstream.on('data', (bytes) => socket.write(bytes));
    upstream.on('close', () => socket.destroy());
    for (const one of [socket, upstream]) one.on('error', () => undefined);
    socket.on('close', () => near.delete(socket));
    upstream.on('close', () => far.delete(upstream));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    lead(other) {
      target = other;
    },
    cut() {
      for (const socket of near) socket.destroy();
    },
    async close() {
      for (const socket of [...near, ...far]) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
