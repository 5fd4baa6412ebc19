import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readSnapshot } from '../../scripts/backup/read-snapshot.ts';

const SNAPSHOT = Buffer.concat([Buffer.from('REDIS0012 keys and values '), Buffer.from([0xff]), Buffer.alloc(8, 7)]);
const MARK = 'm'.repeat(40);

const sized = Buffer.concat([Buffer.from(`\n\n$${SNAPSHOT.length}\r\n`), SNAPSHOT]);
const marked = Buffer.concat([Buffer.from(`\n$EOF:${MARK}\r\n`), SNAPSHOT, Buffer.from(MARK)]);

/** What is read of an answer that comes in pieces of this length. */
async function read(answer: Buffer, length: number): Promise<Buffer> {
  const pieces = Array.from({ length: Math.ceil(answer.length / length) }, (_, index) =>
    answer.subarray(index * length, (index + 1) * length),
  );
  const parts: Buffer[] = [];
  for await (const part of readSnapshot(Readable.from(pieces)).bytes()) parts.push(part);
  return Buffer.concat(parts);
}

describe('a snapshot of Redis', () => {
  it.each([1, 7, 1_000])(
    'is read whole in pieces of %d bytes, with its length or a mark at its end',
    async (length) => {
      expect((await read(sized, length)).equals(SNAPSHOT)).toBe(true);
      expect((await read(marked, length)).equals(SNAPSHOT)).toBe(true);
    },
  );

  it('that is cut short is refused', async () => {
    await expect(read(sized.subarray(0, -1), 5)).rejects.toThrow('the connection ended');
    await expect(read(marked.subarray(0, -1), 5)).rejects.toThrow('the connection ended');
  });

  it('that is none is refused', async () => {
    await expect(read(Buffer.from('$12\r\nREDIS no end'), 5)).rejects.toThrow('is no whole snapshot');
    await expect(read(Buffer.from(`$10\r\nOTHER\xff${'x'.repeat(8)}`, 'latin1'), 5)).rejects.toThrow(
      'no whole snapshot',
    );
  });

  it('that Redis does not hand out is told by the code of Redis alone', async () => {
    const refusal = read(Buffer.from("-NOPERM User zoe has no permissions to run the 'sync' command\r\n"), 9);

    await expect(refusal).rejects.toThrow(/^Redis does not hand out a copy \(NOPERM\)\. .* REPLCONF and SYNC/);
    await expect(refusal).rejects.not.toThrow('zoe');
  });

  it('is refused in other words where the password is wrong, or Redis cannot do it now', async () => {
    await expect(read(Buffer.from('-LOADING Redis is loading the dataset in memory\r\n'), 9)).rejects.toThrow(
      'Redis cannot hand out a copy now (LOADING).',
    );
    await expect(read(Buffer.from('-NOAUTH Authentication required.\r\n'), 9)).rejects.toThrow(
      'Redis does not accept the password in REDIS_URL (NOAUTH).',
    );
  });
});
