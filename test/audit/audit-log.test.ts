import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AuditKey } from '../../src/audit/audit-key.ts';
import { CHAIN_BEGIN, type LinkedEntry, linkEntry, toForgottenEntry } from '../../src/audit/audit-log.ts';
import { verifyChain } from '../../src/audit/verify-audit.ts';
import { aChain, aKey, anEntry } from './samples.ts';

const verify = (entries: LinkedEntry[], origin = CHAIN_BEGIN, noted = [CHAIN_BEGIN]) =>
  verifyChain(entries, { origin, noted });

const placeOf = ({ seq, hash }: LinkedEntry) => ({ seq, hash });

/** With `undefined` out of the way, as a store would give it back. */
const throughJson = (entry: LinkedEntry): LinkedEntry => JSON.parse(JSON.stringify(entry));

describe('a chain', () => {
  it('is whole as it was written, and names its end', async () => {
    const chain = aChain(4);

    expect(await verify(chain)).toEqual({ ok: true, head: { seq: 4, hash: chain[3]?.hash }, entries: 4 });
  });

  it('is the same whatever the order of names in its entries', async () => {
    const [entry] = aChain(1).map((one) => Object.fromEntries(Object.entries(one).reverse()) as LinkedEntry);

    expect(await verify(entry ? [entry] : [])).toMatchObject({ ok: true, entries: 1 });
  });

  it('may begin in the middle, after what is past its time, where an entry says so', async () => {
    const chain = aChain(5);
    const [first, second, ...kept] = chain;
    if (!first || !second) throw new Error('the chain is too short');
    const rest = [...kept, linkEntry(toForgottenEntry(placeOf(second), 3, 6), chain.at(-1) ?? CHAIN_BEGIN)];

    expect(await verify(rest, placeOf(second))).toMatchObject({
      ...{ ok: true, entries: 4 },
      origin: { upTo: placeOf(second), seq: 6, at: 6 },
    });
    expect(await verify(kept, placeOf(second))).toEqual({ ok: false, seq: 3, problem: 'origin_unexplained' });
    expect(await verify(rest.slice(1), placeOf(chain[2] ?? first))).toMatchObject({ problem: 'origin_unexplained' });
    expect(await verify([], placeOf(second))).toEqual({ ok: false, seq: 3, problem: 'origin_unexplained' });
    expect(await verify(rest, placeOf(first))).toEqual({ ok: false, seq: 2, problem: 'missing' });
    expect(await verify(rest, { seq: 2, hash: first.hash })).toEqual({ ok: false, seq: 3, problem: 'not_linked' });
  });

  it('passes over a noted head that is past its time only where a seal proves that, and is held against the others', async () => {
    const chain = aChain(5);
    const [first, second, ...kept] = chain;
    if (!first || !second) throw new Error('the chain is too short');
    const said = toForgottenEntry(placeOf(second), 3, 6);
    const link = (key?: AuditKey) => [...kept, linkEntry(said, chain.at(-1) ?? CHAIN_BEGIN, { key })];
    const noted = [placeOf(first), ...kept.map(placeOf)];
    const options = { origin: placeOf(second), noted, keys: [aKey] };

    expect(await verifyChain(link(aKey), options)).toMatchObject({ ok: true });
    expect(await verifyChain(link(), options)).toEqual({ ok: false, seq: 1, problem: 'head_before_origin' });
    expect(await verifyChain(link(aKey), { ...options, keys: [] })).toMatchObject({ problem: 'head_before_origin' });
    expect(await verify(link(), placeOf(second), [{ seq: 4, hash: first.hash }])).toEqual({
      ...{ ok: false, seq: 4, problem: 'other_than_noted' },
    });
    expect(await verify(link(), placeOf(second), [{ seq: 2, hash: first.hash }])).toEqual({
      ...{ ok: false, seq: 2, problem: 'other_than_noted' },
    });
  });

  it('shows an entry that was written anew with a hash of its own', async () => {
    const chain = aChain(3);
    const [first, second, third] = chain;
    if (!first || !second || !third) throw new Error('the chain is too short');
    const forged = linkEntry({ ...anEntry(), who: { user: 'UEVE' } }, first);

    expect(await verify([first, forged, third])).toEqual({ ok: false, seq: 3, problem: 'not_linked' });
    expect(await verify([first, forged])).toMatchObject({ ok: true });
    expect(await verify([first, forged], CHAIN_BEGIN, [placeOf(second)])).toMatchObject({
      problem: 'other_than_noted',
    });
  });

  it('shows every change of a figure or a letter, every entry that is taken out, and every two that change places', async () => {
    const chain = aChain(6);
    const place = fc.nat(chain.length - 1);
    await fc.assert(
      fc.asyncProperty(place, place, fc.constantFrom('change', 'remove', 'swap'), async (at, other, kind) => {
        fc.pre(kind !== 'swap' || at !== other);
        fc.pre(kind !== 'remove' || at !== chain.length - 1);
        const copy = chain.map((entry) => structuredClone(entry));
        const [entry] = copy.slice(at, at + 1);
        if (kind === 'change' && entry) copy[at] = { ...entry, at: entry.at + 1 };
        if (kind === 'remove') copy.splice(at, 1);
        if (kind === 'swap') [copy[at], copy[other]] = [copy[other] as LinkedEntry, copy[at] as LinkedEntry];

        const first = kind === 'swap' ? Math.min(at, other) : at;
        expect(await verify(copy)).toMatchObject({ ok: false, seq: first + 1 });
      }),
    );
  });

  it('holds whatever a store can hold', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue()), fc.string({ unit: 'binary' }), async (values, reason) => {
        const entries: LinkedEntry[] = [];
        for (const value of values) {
          const entry = anEntry({ before: value, after: { a: value }, reason });
          entries.push(throughJson(linkEntry(entry, entries.at(-1) ?? CHAIN_BEGIN)));
        }
        expect(await verify(entries)).toMatchObject({ ok: true, entries: values.length });
      }),
    );
  });

  it('ends with the error of a store that does not answer', async () => {
    async function* broken(): AsyncIterable<LinkedEntry> {
      yield* aChain(1);
      throw new Error('the store is away');
    }

    await expect(verifyChain(broken(), { origin: CHAIN_BEGIN, noted: [] })).rejects.toThrow('the store is away');
  });
});
