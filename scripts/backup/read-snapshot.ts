import type { Readable } from 'node:stream';
import { PermanentError } from '../../src/errors.ts';

export type SnapshotReader = ReturnType<typeof readSnapshot>;

/** If Redis does not know the length in advance, it names 40 random characters first, and ends the snapshot with them. */
const MARK_LENGTH = 40;

/** A snapshot begins with its format and ends with EOF (255) and a checksum of 8 bytes. */
const MAGIC = 'REDIS';
const EOF = 0xff;
const CHECKSUM_LENGTH = 8;

const LINE_FEED = 0x0a;

/** Reads the answers of Redis to SYNC. */
export function readSnapshot(stream: Readable) {
  const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
  let kept: Buffer = Buffer.alloc(0);

  async function readMore(): Promise<void> {
    const { value, done } = await chunks.next();
    if (done) throw new Error('the connection ended');
    kept = kept.length === 0 ? value : Buffer.concat([kept, value]);
  }

  /** The next line, without its end. */
  async function line(): Promise<string> {
    let end = kept.indexOf(LINE_FEED);
    for (; end < 0; end = kept.indexOf(LINE_FEED)) await readMore();
    const text = kept.subarray(0, end).toString('latin1').trimEnd();
    kept = kept.subarray(end + 1);
    return text;
  }

  /** The line before the snapshot: its length, or the mark at its end. Redis sends empty lines while it prepares it. */
  async function header(): Promise<string> {
    let text = await line();
    while (text === '') text = await line();
    return text;
  }

  async function* sized(length: number): AsyncIterable<Buffer> {
    for (let missing = length; missing > 0; ) {
      if (kept.length === 0) await readMore();
      const part = kept.subarray(0, missing);
      kept = kept.subarray(part.length);
      missing -= part.length;
      yield part;
    }
  }

  async function* marked(mark: Buffer): AsyncIterable<Buffer> {
    while (kept.length < MARK_LENGTH || !kept.subarray(-MARK_LENGTH).equals(mark)) {
      // The mark may arrive in pieces, so hold back as many bytes as it has.
      const part = kept.subarray(0, Math.max(0, kept.length - MARK_LENGTH));
      kept = kept.subarray(part.length);
      if (part.length > 0) yield part;
      await readMore();
    }
    yield kept.subarray(0, -MARK_LENGTH);
  }

  return {
    line,
    /** The snapshot, after `SYNC` was sent. Throws a PermanentError if Redis refuses, or sends no complete snapshot. */
    async *bytes(): AsyncIterable<Buffer> {
      const text = await header();
      const [, mark, length] = /^\$(?:EOF:(\S{40})|(\d+))$/.exec(text) ?? [];
      if (mark === undefined && length === undefined) throw refused(text);
      yield* checked(mark === undefined ? sized(Number(length)) : marked(Buffer.from(mark, 'latin1')));
    },
  };
}

/** Redis checks the checksum when it loads the file; the network has checksums of its own. */
async function* checked(parts: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let first = Buffer.alloc(0);
  let last = Buffer.alloc(0);
  for await (const part of parts) {
    if (first.length < MAGIC.length) first = Buffer.concat([first, part.subarray(0, MAGIC.length)]);
    last = Buffer.concat([last, part]).subarray(-CHECKSUM_LENGTH - 1);
    yield part;
  }
  if (first.toString('latin1', 0, MAGIC.length) === MAGIC && last[0] === EOF) return;
  throw new PermanentError('copy_damaged', 'What Redis sent is no whole snapshot, and was deleted. Try again.');
}

/** `reply`: as Redis sent it. It may quote the command: only its first word, the code, is shown. */
export function refused(reply: string): PermanentError {
  const [, code = 'no code'] = /^-([A-Z]+)\b/.exec(reply) ?? [];
  return new PermanentError('backup_refused', toSentence(code));
}

function toSentence(code: string): string {
  if (/^(NOAUTH|WRONGPASS)$/.test(code)) return `Redis does not accept the password in REDIS_URL (${code}).`;
  // Such as LOADING, while it reads its file, or BGSAVE, if it lacks memory or room on its disk.
  if (!/^(NOPERM|ERR|no code)$/.test(code))
    return `Redis cannot hand out a copy now (${code}). See its log, and try again.`;
  return `Redis does not hand out a copy (${code}). The user in REDIS_URL needs the commands REPLCONF and SYNC; managed services often forbid them and have backups of their own: use those.`;
}
