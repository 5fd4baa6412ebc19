// Somebody without credentials: connections that send far more than they are answered, each begun again once it is closed.
// `node flood-clients.ts <port> <how many>`, until it is killed.
import { connect, type Socket } from 'node:net';

const [port = 0, count = 0] = process.argv.slice(2).map(Number);

const GET = `GET /link/start?ticket=${'A'.repeat(43)} HTTP/1.1\r\nhost: bridge\r\n\r\n`;

/** So long after its end, in ms: a process that only connects would not get to send. */
const AGAIN_AFTER_MS = 20;

const KINDS: ((socket: Socket) => void)[] = [
  /** Pipelines, and reads nothing. */
  (socket) => {
    socket.pause().write(GET.repeat(2_000));
  },
  /** Floods: the next request as soon as there is an answer. */
  (socket) => {
    socket.on('data', () => socket.write(GET)).write(GET);
  },
  /** Never reads, and asks on. */
  (socket) => {
    socket.pause().write(GET);
    const timer = setInterval(() => socket.write(GET), 100);
    socket.on('close', () => clearInterval(timer));
  },
];

function begin(index: number): void {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.on('close', () => setTimeout(begin, AGAIN_AFTER_MS, index));
  KINDS[index % KINDS.length]?.(socket);
}

for (let index = 0; index < count; index++) begin(index);
