import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AuditKey, parseAuditKeys, seal } from '../../src/audit/audit-key.ts';
import {
  type AuditHead,
  CHAIN_BEGIN,
  type LinkedEntry,
  linkEntry,
  toForgottenEntry,
} from '../../src/audit/audit-log.ts';
import { type ChainVerdict, verifyAudit } from '../../src/audit/verify-audit.ts';
import { anEntry, makeKeys } from './samples.ts';

const { keys } = makeKeys(2);
const [key, olderKey] = keys as [AuditKey, AuditKey];

type Stored = { entries: LinkedEntry[]; origin: AuditHead; head: AuditHead & { seal?: string } };

/** As a store has it whose entries up to `unsealed` were made before the key was set. */
function aStored(length: number, { unsealed = 0, by = (_at: number) => key } = {}): Stored {
  const entries: LinkedEntry[] = [];
  for (let at = 1; at <= length; at += 1) {
    const options = at > unsealed ? { origin: 0, key: by(at) } : { origin: 0 };
    entries.push(linkEntry(anEntry({ at }), entries.at(-1) ?? CHAIN_BEGIN, options));
  }
  return toStored(entries, CHAIN_BEGIN);
}

const placeOf = ({ seq, hash }: AuditHead): AuditHead => ({ seq, hash });

/** With a sealed note of the end, as the app makes it. */
function toStored(entries: LinkedEntry[], origin: AuditHead): Stored {
  const last = entries.at(-1);
  const head = last ? placeOf(last) : origin;
  return { entries, origin, head: { ...head, seal: seal({ head }, key) } };
}

async function* each(entries: LinkedEntry[]): AsyncIterable<LinkedEntry> {
  yield* entries;
}

function verify({ entries, origin, head }: Stored, withKeys: readonly AuditKey[] = [key]): Promise<ChainVerdict> {
  const audit = { all: () => each(entries), origin: async () => origin, head: async () => head };
  return verifyAudit(audit, { keys: withKeys });
}

/** What somebody without the key can make of entries: all hashes are right afterwards. */
function relink(entries: LinkedEntry[], origin: AuditHead): LinkedEntry[] {
  const linked: LinkedEntry[] = [];
  for (const { hash: _, seq: __, previousHash: ___, ...entry } of entries) {
    linked.push(linkEntry(entry, linked.at(-1) ?? origin));
  }
  return linked;
}

/** A store with these entries and this begin, and the old seal of its end. */
function replace(stored: Stored, entries: LinkedEntry[], origin = stored.origin): Stored {
  const end = entries.at(-1);
  return { entries, origin, head: { ...(end ? placeOf(end) : origin), seal: stored.head.seal ?? '' } };
}

function rewrite(stored: Stored, entries: LinkedEntry[]): Stored {
  return replace(stored, relink(entries, stored.origin));
}

/** What somebody without the key does to a store, at one place or at two. */
const ATTACKS: Record<string, (stored: Stored, at: number, other: number) => Stored> = {
  edit: (stored, at) =>
    rewrite(
      stored,
      stored.entries.map((entry, index) => (index === at ? { ...entry, who: { user: 'UEVE' } } : entry)),
    ),
  remove: (stored, at) => rewrite(stored, stored.entries.toSpliced(at, 1)),
  insert: (stored, at) => rewrite(stored, stored.entries.toSpliced(at, 0, anEntry({ at }) as LinkedEntry)),
  repeat: (stored, at) => rewrite(stored, stored.entries.toSpliced(at, 0, stored.entries[at] as LinkedEntry)),
  swap: (stored, at, other) => {
    const [one, two] = [stored.entries[at] as LinkedEntry, stored.entries[other] as LinkedEntry];
    return rewrite(stored, stored.entries.with(at, two).with(other, one));
  },
  'strip the seals': (stored, at) =>
    rewrite(
      stored,
      stored.entries.map(({ seal: own, ...entry }, index) => (index < at && own ? { ...entry, seal: own } : entry)),
    ),
  'cut the begin': (stored, at) =>
    replace(stored, stored.entries.slice(at + 1), placeOf(stored.entries[at] as LinkedEntry)),
  'cut the begin, and say so': (stored, at) => {
    const upTo = placeOf(stored.entries[at] as LinkedEntry);
    const last = stored.entries.at(-1) as LinkedEntry;
    const said = linkEntry(toForgottenEntry(upTo, 1, 1), last, { origin: upTo.seq });
    return replace(stored, [...stored.entries.slice(at + 1), said], upTo);
  },
  'cut the end': (stored, at) => replace(stored, stored.entries.slice(0, at)),
};

describe('a sealed chain', () => {
  it('is whole, and says from where on it is sealed', async () => {
    expect(await verify(aStored(5, { unsealed: 2 }))).toMatchObject({ ok: true, sealedFrom: { seq: 3, at: 3 } });
  });

  it('is checked as a chain only without the key', async () => {
    expect(await verify(aStored(5), [])).toMatchObject({ ok: true, sealedFrom: undefined, hasSeals: true });
  });

  it('shows whatever is edited, removed, added or moved, with all hashes made anew', async () => {
    const stored = aStored(8);
    const kept = stored.entries.map(placeOf);
    const place = fc.nat(7);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(ATTACKS)),
        place,
        place,
        fc.boolean(),
        async (kind, at, other, isStripped) => {
          fc.pre(kind !== 'swap' || at !== other);
          const forged = ATTACKS[kind]?.(stored, at, other) ?? stored;
          const { entries, origin, head } = forged;

          // Without any noted head.
          expect(await verify({ ...forged, head: isStripped ? placeOf(head) : head })).toMatchObject({ ok: false });
          // With the end sealed all the same, but for entries cut off there.
          if (kind !== 'cut the end' && (kind !== 'remove' || at < 7)) {
            expect(await verify(toStored(entries, origin))).toMatchObject({ ok: false });
          }
          // Without a key, to whoever kept all heads. The last one again is an entry that was added: no head tells of later ones.
          if (kind !== 'repeat' || at < 7) {
            const audit = { all: () => each(entries), origin: async () => origin, head: async () => head };
            expect(await verifyAudit(audit, { kept })).toMatchObject({ ok: false });
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('does not let what was made before the key was set be rewritten', async () => {
    const stored = aStored(5, { unsealed: 3 });
    const [first, second, ...rest] = stored.entries;
    if (!first || !second) throw new Error('the chain is too short');
    const forged = linkEntry({ ...anEntry({ at: 2 }), who: { user: 'UEVE' } }, first, { origin: 0 });

    expect(await verify({ ...stored, entries: [first, forged, ...rest] })).toMatchObject({ problem: 'not_linked' });
    expect(await verify(rewrite(stored, [first, forged, ...rest]))).toMatchObject({ problem: 'wrong_seal' });
  });

  it('is broken by an entry without a seal after one with a seal', async () => {
    const { entries } = aStored(3);
    const unsealed = linkEntry(anEntry({ at: 4 }), entries.at(-1) ?? CHAIN_BEGIN, { origin: 0 });

    expect(await verify(toStored([...entries, unsealed], CHAIN_BEGIN))).toEqual({
      ...{ ok: false, seq: 4, problem: 'not_sealed' },
    });
  });

  it('accepts no removal that is not sealed, and none that another entry was meant for', async () => {
    const { entries } = aStored(6);
    const second = entries[1] as LinkedEntry;
    const fourth = entries[3] as LinkedEntry;
    const last = entries.at(-1) as LinkedEntry;
    const origin = placeOf(second);
    const said = (options: object) => linkEntry(toForgottenEntry(origin, 3, 7), last, { origin: 2, ...options });

    expect(await verify(toStored([...entries.slice(2), said({ key })], origin))).toMatchObject({ ok: true });
    expect(await verify(toStored([...entries.slice(2), said({})], origin))).toMatchObject({ problem: 'not_sealed' });
    expect(await verify(toStored([...entries.slice(4), said({ key })], placeOf(fourth)))).toEqual({
      ...{ ok: false, seq: 5, problem: 'origin_unexplained' },
    });
  });

  it('goes from the older key to the newer, and never back', async () => {
    const rotated = aStored(6, { by: (at) => (at < 4 ? olderKey : key) });
    const back = aStored(6, { by: (at) => (at < 4 ? key : olderKey) });

    expect(await verify(rotated, [key, olderKey])).toMatchObject({ ok: true, sealedFrom: { seq: 1 } });
    expect(await verify(rotated, [key])).toMatchObject({ ok: true, sealedFrom: { seq: 4 } });
    expect(await verify(back, [key, olderKey])).toEqual({ ok: false, seq: 4, problem: 'not_sealed' });
    expect(await verify(rotated, [olderKey])).toMatchObject({ ok: false, problem: 'not_sealed' });
  });

  it('is no proof where its end is sealed with another key than the newest', async () => {
    const stored = aStored(3, { by: () => olderKey });
    const ended = {
      ...stored,
      head: { ...stored.head, seal: seal({ head: placeOf(stored.entries[2] as LinkedEntry) }, olderKey) },
    };

    expect(await verify(ended, [key, olderKey])).toEqual({ ok: false, seq: 3, problem: 'end_not_sealed' });
    expect(await verify(ended, [olderKey])).toMatchObject({ ok: true });
  });
});

describe('AUDIT_KEY', () => {
  it.each([
    ['too short', Buffer.alloc(31).toString('base64'), 'entry 1 has 31 bytes instead of 32'],
    ['no base64', 'a secret!', 'entry 1 is not base64'],
    ['an empty entry', `${Buffer.alloc(32).toString('base64')},`, 'entry 2 is not base64'],
    ['the same twice', Array(2).fill(Buffer.alloc(32).toString('base64')).join(), 'has the same key twice'],
  ])('is refused if it is %s, and never repeated', (_, text, problem) => {
    const refused = () => parseAuditKeys(text);

    expect(refused).toThrow(problem);
    expect(refused).not.toThrow(text);
  });

  it('is known by an id that tells nothing about it', () => {
    expect(key.id).toMatch(/^[0-9a-f]{8}$/);
    expect(key.key.toString('hex')).not.toContain(key.id);
  });
});
