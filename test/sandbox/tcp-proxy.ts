import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>;

/** A name that leads to a server, and may lead to another one day. */
export async function startTcpProxy(port: number) {
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
    /** Where new connections lead. Those that are open stay where they are. */
    lead(other: number): void {
      target = other;
    },
    /** Breaks what clients have open off. The servers do not hear of it, as where a network is cut. */
    cut(): void {
      for (const socket of near) socket.destroy();
    },
    async close(): Promise<void> {
      for (const socket of [...near, ...far]) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
