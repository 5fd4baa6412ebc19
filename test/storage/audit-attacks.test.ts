// What somebody does who can write to the store, and has no key; what a reader sees of a chain: governance/audit.
import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditKey } from '../../src/audit/audit-key.ts';
import { type AuditHead, type AuditStore, CHAIN_BEGIN } from '../../src/audit/audit-log.ts';
import { createAuditLog } from '../../src/audit/chained-log.ts';
import { verifyAudit, verifyNewest } from '../../src/audit/verify-audit.ts';
import { createLog } from '../../src/log.ts';
import type { Kernel } from '../../src/storage/kernel.ts';
import { anEntry, makeKeys, readAll } from '../audit/samples.ts';
import { type Tampering, tamperingWith } from './audit-tampering.ts';
import { createModel } from './kernel-model.ts';

const { keys } = makeKeys(2);
const [key, olderKey] = keys as [AuditKey, AuditKey];

let kernel: Kernel;
let attacker: Tampering;
let told: { level: string; msg: string }[];

beforeEach(() => {
  kernel = createModel(() => 0);
  attacker = tamperingWith(kernel);
  told = [];
});

const messages = (level: string) => told.filter((one) => one.level === level).map(({ msg }) => msg);

/** The log as one process has it that knows these keys. */
function open(own: AuditKey[] = [], now: () => number = Date.now): AuditStore {
  const log = createLog('info', { write: (line: string) => void told.push(JSON.parse(line)) });
  return createAuditLog(kernel, { keys: own, log, now });
}

async function start(own: AuditKey[] = [], now: () => number = Date.now): Promise<AuditStore> {
  const audit = open(own, now);
  await audit.start();
  return audit;
}

async function add(audit: AuditStore, ...times: number[]): Promise<AuditHead[]> {
  const heads: AuditHead[] = [];
  for (const at of times) {
    const { seq, hash } = await audit.append(anEntry({ at }));
    heads.push({ seq, hash });
  }
  return heads;
}

const verify = (audit: AuditStore, own: AuditKey[] = [], ...kept: AuditHead[]) =>
  verifyAudit(audit, { keys: own, kept });

const placeAt = (heads: AuditHead[], index: number) => heads.at(index) ?? CHAIN_BEGIN;

describe.each([
  ['without a key', []],
  ['with a key', [key]],
])('an audit log %s', (_name, own) => {
  it('is broken where its first half was cut off, also after a start and for a quick look', async () => {
    const audit = await start(own);
    const heads = await add(audit, 1, 2, 3, 4, 5, 6);
    const cut = placeAt(heads, 2);

    await attacker.removeUpTo(cut);

    const broken = { ok: false, seq: cut.seq + 1, problem: 'origin_unexplained' };
    expect(await verify(audit, own)).toEqual(broken);
    expect(await verifyNewest(audit, { limit: 2, keys: own })).toEqual(broken);
    const again = await start(own);
    expect(await verify(again, own)).toEqual(broken);
    await add(again, 7);
    expect(await verify(again, own)).toMatchObject({ ok: false, problem: 'origin_unexplained' });
  });

  it('is forgotten no further where it is not whole, so that it stays known', async () => {
    const audit = await start(own);
    const heads = await add(audit, 1, 2, 3, 40, 50);
    await attacker.change(placeAt(heads, 1).seq, 'UKIM', 'UEVE');
    const origin = await audit.origin();

    expect(await audit.forget(10)).toBe(0);

    expect(await audit.origin()).toEqual(origin);
    expect(messages('error')).toEqual(own.length > 0 ? [] : ['audit log not whole']);
  });

  it.each([[null], [[]], [{ seal: 5 }]])(
    'is broken, and is forgotten no further, where an entry is %j',
    async (body) => {
      const audit = await start(own, () => 1);
      const heads = await add(audit, 1, 2, 3, 40);
      const { seq } = placeAt(heads, 1);
      await kernel.commit([{ put: `audit:${seq}`, body }]);

      expect(await verify(audit, own)).toEqual({ ok: false, seq, problem: 'unreadable' });
      expect(await audit.forget(10)).toBe(0);
      expect(messages('error')).toEqual(['audit log not whole']);
    },
  );

  it('forgets nothing that was only made to look old', async () => {
    const audit = await start(own, () => 1);
    const heads = await add(audit, 40, 50, 60);
    for (const { seq } of heads) await attacker.change(seq, `"at":${seq === heads[0]?.seq ? 40 : 50}`, '"at":1');

    expect(await audit.forget(10)).toBe(0);

    expect(messages('error')).toEqual(['audit log not whole']);
  });
});

describe('an audit log', () => {
  it('is sealed from the first start with a key on, what was there included in the chain', async () => {
    await add(await start(), 1, 2);

    const audit = await start([key]);
    await add(audit, 3);
    await add(await start([key]), 4);

    expect((await readAll(audit.all())).map(({ what }) => what)).toEqual([
      ...['item_ended', 'item_ended', 'sealing_begun', 'item_ended', 'item_ended'],
    ]);
    expect(await verify(audit, [key])).toMatchObject({ ok: true, sealedFrom: { seq: 3 } });
    expect(messages('warn')).toEqual(['audit sealing begun']);
    // Each head is logged, so that somebody has it elsewhere.
    expect(messages('info')).toHaveLength(5);
  });

  it('shows an end that was cut off, with the note of it moved back', async () => {
    const audit = await start([key]);
    const heads = await add(audit, 1, 2, 3);
    const { seal } = await audit.head();
    const cut = placeAt(heads, 0);

    for (const forged of [cut, { ...cut, seal: seal ?? '' }]) {
      await attacker.removeAfter(forged);
      expect(await verify(audit, [key])).toEqual({ ok: false, seq: cut.seq, problem: 'end_not_sealed' });
    }
    // The app goes on from there, and says so in the log.
    await add(audit, 4);
    expect(await verify(audit, [key])).toEqual({ ok: false, seq: cut.seq + 1, problem: 'end_lost' });
    expect(messages('warn')).toContain('audit sealing begun');
  });

  it('shows an older state of the store that was put back, to whoever kept a head', async () => {
    const audit = await start([key]);
    await add(audit, 1);
    const older = await audit.head();
    const [later] = await add(audit, 2);

    await attacker.removeAfter({ ...older, seal: older.seal ?? '' });

    expect(await verify(audit, [key])).toMatchObject({ ok: true });
    const missing = { ok: false, seq: older.seq + 1, problem: 'tail_missing' };
    expect(await verify(audit, [key], later ?? CHAIN_BEGIN)).toEqual(missing);
  });

  it('that is sealed gets no entries of a process without the key', async () => {
    await add(await start([key]), 1);

    const audit = await start();

    expect(messages('error')).toEqual(['audit key missing']);
    await expect(add(audit, 2)).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(await audit.forget(10)).toBe(0);
    expect(await verify(await start([key]), [key])).toMatchObject({ ok: true });
  });

  it('goes over to a new key at the start, and needs the older one only for what that has sealed', async () => {
    await add(await start([olderKey]), 1);

    const audit = await start([key, olderKey]);
    await add(audit, 2);

    expect(await verify(audit, [key, olderKey])).toMatchObject({ ok: true, sealedFrom: { seq: 1 } });
    expect(await verify(audit, [key])).toMatchObject({ ok: true, sealedFrom: { seq: 3 } });
  });

  it('that nobody can read keeps neither a start nor the sweeper from their work', async () => {
    await add(await start([key]), 1);
    const { range } = kernel;
    kernel.range = async (...asked) => {
      const found = await range(...asked);
      if (found.some((one) => one.key === 'audit:2')) throw new SyntaxError('no JSON');
      return found;
    };

    const audit = await start([key]);

    expect(await audit.forget(10)).toBe(0);
    expect(await verify(audit, [key])).toMatchObject({ problem: 'unreadable' });
  });
});

describe('replicas with different keys', () => {
  it('write only while they have the key of the last entry', async () => {
    const before = await start([olderKey]);
    await add(before, 1);

    const after = await start([key, olderKey]);

    await expect(add(before, 2)).rejects.toMatchObject({ code: 'store_unavailable' });
    await add(after, 3);
    expect(await verify(after, [key, olderKey])).toMatchObject({ ok: true, entries: 4 });
  });

  it('begin to seal once, whichever of them is first', async () => {
    const [first] = await Promise.all([start([key]), start([key])]);

    expect(await verify(first, [key])).toMatchObject({ ok: true, entries: 1 });
  });
});

describe('two replicas', () => {
  it('add 50 entries at the same time to one chain', async () => {
    const both = [open(), open()];

    await Promise.all(Array.from({ length: 50 }, (_, at) => both[at % 2]?.append(anEntry({ at }))));

    for (const audit of both) expect(await verify(audit)).toMatchObject({ ok: true, entries: 50 });
  });

  it.each([
    [5, 5, 4],
    [7, 3, 6],
  ])('forget at once what is before %i and before %i, and it stays a chain', async (one, other, gone) => {
    const [first, second] = [open(), open()];
    await add(first, 1, 2, 3, 4, 5, 6, 7, 8, 9);

    const forgotten = await Promise.all([first.forget(one), second.forget(other)]);

    expect(forgotten[0] + forgotten[1]).toBe(gone);
    expect(await verify(second)).toMatchObject({ ok: true, origin: { upTo: { seq: gone } } });
  });
});
