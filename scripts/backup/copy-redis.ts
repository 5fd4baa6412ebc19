import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { connect as connectTls } from 'node:tls';
import { PermanentError } from '../../src/errors.ts';
import { readSnapshot, refused, type SnapshotReader } from './read-snapshot.ts';

/** Redis forks, and may write its snapshot to disk first. Until then it sends only empty lines. */
const SILENCE_MS = 120_000;

/**
 * Lets Redis send a snapshot of one moment, as to a new replica (`redis-cli --rdb` does the same), and writes it into a
 * file. Returns what the copy holds. Throws a PermanentError with a sentence if Redis does not send a complete one.
 */
export async function copyRedis(url: string, to: string): Promise<string> {
  const address = new URL(url);
  const socket = await connect(address);
  try {
    const snapshot = readSnapshot(socket);
    await logIn(socket, snapshot, address);
    // With `rdb-only`, Redis 7 and later keep no stream of changes for us.
    await command(socket, snapshot, ['REPLCONF', 'capa', 'eof', 'rdb-only', '1']);
    socket.write(encode(['SYNC']));
    await pipeline(snapshot.bytes(), createWriteStream(to));
    return 'a snapshot of Redis';
  } catch (cause) {
    throw cause instanceof PermanentError || isOfFile(cause) ? cause : notCopied(cause);
  } finally {
    socket.destroy();
  }
}

async function connect({ protocol, hostname, port }: URL): Promise<Socket> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const options = { host, port: Number(port) || 6379 };
  const isTls = protocol === 'rediss:';
  const socket = isTls
    ? connectTls({ ...options, ...(isIP(host) === 0 && { servername: host }) })
    : connectTcp(options);
  socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error('Redis fell silent')));
  try {
    await once(socket, isTls ? 'secureConnect' : 'connect');
    return socket;
  } catch (cause) {
    throw notCopied(cause);
  }
}

async function logIn(socket: Socket, snapshot: SnapshotReader, { username, password }: URL): Promise<void> {
  if (password === '') return;
  const user = username === '' ? [] : [decodeURIComponent(username)];
  await command(socket, snapshot, ['AUTH', ...user, decodeURIComponent(password)]);
}

async function command(socket: Socket, snapshot: SnapshotReader, words: string[]): Promise<void> {
  socket.write(encode(words));
  const reply = await snapshot.line();
  if (!reply.startsWith('+')) throw refused(reply);
}

/** https://redis.io/docs/latest/develop/reference/protocol-spec/ */
function encode(words: string[]): string {
  return `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;
}

function notCopied(cause: unknown): PermanentError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'the connection ended';
  return new PermanentError(
    'backup_not_made',
    `Redis did not send a whole copy (${code}). Check REDIS_URL with \`node scripts/doctor.ts\`, and the log of Redis.`,
    { cause },
  );
}

function isOfFile(cause: unknown): boolean {
  return cause instanceof Error && 'syscall' in cause && ['open', 'write', 'fsync'].includes(String(cause.syscall));
}
