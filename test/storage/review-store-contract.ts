import { describe, expect, it } from 'vitest';
import type { ReviewSnapshot } from '../../src/governance/review/review-diff.ts';
import type { ReviewStore } from '../../src/governance/review/review-store.ts';

type Clock = { now(): number; pass(ms: number): void };

export function describeReviewStore(current: () => ReviewStore, clock: Clock): void {
  describe('the last review', () => {
    it('is the one that was saved last', async () => {
      expect(await current().lastSnapshot()).toBeUndefined();

      expect(await current().saveSnapshot(aSnapshot(1), undefined)).toBe(true);
      expect(await current().saveSnapshot(aSnapshot(2), 1)).toBe(true);

      expect(await current().lastSnapshot()).toEqual(aSnapshot(2));
    });

    it('is not replaced by one that was compared with another', async () => {
      await current().saveSnapshot(aSnapshot(1), undefined);
      await current().saveSnapshot(aSnapshot(3), 1);

      expect(await current().saveSnapshot(aSnapshot(2), 1)).toBe(false);
      expect(await current().saveSnapshot(aSnapshot(2), undefined)).toBe(false);
      expect(await current().saveSnapshot(aSnapshot(3), 1)).toBe(true);

      expect(await current().lastSnapshot()).toEqual(aSnapshot(3));
    });
  });

  describe('a notice', () => {
    it('is for one of many to send, and nobody after that', async () => {
      const key = 'U0ANA:env:limit:2026-11';
      const claim = (holder: string) => current().claimNotice(key, clock.now() + 60_000, holder);
      const claims = await Promise.all(Array.from({ length: 10 }, (_, index) => claim(`run ${index}`)));

      expect(claims.filter(Boolean)).toHaveLength(1);
      expect(await current().claimNotice('another', clock.now() + 60_000, 'run 1')).toBe(true);
      expect(await claim('run 10')).toBe(false);
    });

    it('is claimed once more by its holder', async () => {
      const claim = (holder: string) => current().claimNotice('mine', clock.now() + 60_000, holder);

      expect([await claim('run 1'), await claim('run 1'), await claim('run 2'), await claim('run 1')]).toEqual([
        true,
        true,
        false,
        true,
      ]);
    });

    it('that could not be sent is free again', async () => {
      await current().claimNotice('one', clock.now() + 60_000, 'run 1');
      await current().releaseNotice('one');

      expect(await current().claimNotice('one', clock.now() + 60_000, 'run 2')).toBe(true);
    });
  });
}

function aSnapshot(at: number): ReviewSnapshot {
  const environments: ReviewSnapshot['environments'] = [['e1', ['drift:abc'], [['a1', ['unreadable', 'drift:x']]]]];
  return { schema: 1, at, registerHash: 'a'.repeat(64), environments };
}
