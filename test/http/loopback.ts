import { createServer, type RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { listen as bind, type LoopbackServer, stop } from '@assistant-bridge/sandbox/loopback/loopback-server.ts';

export type Loopback = LoopbackServer;

/** A scripted HTTP server on a free loopback port. */
export async function listen(listener: RequestListener): Promise<Loopback> {
  const server = createServer(listener);
  return { url: await bind(server), close: () => stop(server) };
}

const sockets: Socket[] = [];

/** A connection that sends what it is told to; `answer` is what it has read. Ended by `hangUp`. */
export function speak(port: number, text: string) {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  let read = '';
  socket
    .on('error', () => undefined)
    .on('data', (data) => {
      read += data;
    });
  socket.write(text);
  return { socket, answer: () => read };
}

/** Ends all that `speak` has begun. */
export function hangUp(): void {
  for (const socket of sockets.splice(0)) socket.destroy();
}

/** An address that refuses connections: nobody listens there any more. */
export async function findClosedUrl(): Promise<string> {
  const server = await listen(() => undefined);
  await server.close();
  return server.url;
}
