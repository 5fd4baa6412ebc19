import { describe, expect, it } from 'vitest';
import type { ReviewSnapshot } from '../../src/governance/review/review-snapshot.ts';
import type { ReviewStore } from '../../src/governance/review/review-store.ts';

type Clock = { now(): number; pass(ms: number): void };

export function describeReviewStore(current: () => ReviewStore, clock: Clock): void {
  describe('the last review', () => {
    it('is the one that was saved last', async () => {
      expect(await current().lastSnapshot()).toBeUndefined();

      await current().saveSnapshot(aSnapshot(1));
      await current().saveSnapshot(aSnapshot(2));

      expect(await current().lastSnapshot()).toEqual(aSnapshot(2));
    });
  });

  describe('a notice', () => {
    it('is for one of many to send, and nobody after that', async () => {
      const key = 'U0ANA:env:limit:2026-11';
      const claim = () => current().claimNotice(key, clock.now() + 60_000);
      const claims = await Promise.all(Array.from({ length: 10 }, claim));

      expect(claims.filter(Boolean)).toHaveLength(1);
      expect(await current().claimNotice('another', clock.now() + 60_000)).toBe(true);
      expect(await claim()).toBe(false);
    });

    it('that could not be sent is free again', async () => {
      await current().claimNotice('one', clock.now() + 60_000);
      await current().releaseNotice('one');

      expect(await current().claimNotice('one', clock.now() + 60_000)).toBe(true);
    });
  });
}

function aSnapshot(at: number): ReviewSnapshot {
  const environments: ReviewSnapshot['environments'] = [['e1', ['drift:abc'], [['a1', ['unreadable', 'drift:x']]]]];
  return { schema: 1, at, registerHash: 'a'.repeat(64), environments };
}
