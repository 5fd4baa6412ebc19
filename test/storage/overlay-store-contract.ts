import { describe, expect, it } from 'vitest';
import type { OverlayStore } from '../../src/governance/register/overlay.ts';
import { anException } from '../governance/register/register-samples.ts';

export function describeOverlayStore(current: () => OverlayStore): void {
  describe('what was decided beside the register', () => {
    it('is listed as it was added, in that order', async () => {
      await current().add(anException({ id: 'later', at: 2 }));
      await current().add(anException({ id: 'earlier', at: 1, approvedBy: 'U0BEN' }));

      expect(await current().list()).toEqual([
        anException({ id: 'later', at: 2 }),
        anException({ id: 'earlier', at: 1, approvedBy: 'U0BEN' }),
      ]);
    });

    it('keeps the accounts of who decided and who approved', async () => {
      const accounts = { account: 'https://idp|oid|kim', approverAccount: 'https://idp|oid|ben' };
      await current().add(anException({ approvedBy: 'U0BEN', ...accounts }));

      expect(await current().list()).toMatchObject([accounts]);
    });

    it('counts once, whoever confirms it twice at a time', async () => {
      const added = await Promise.all(
        Array.from({ length: 10 }, (_, index) => current().add(anException({ id: 'same', reason: `try ${index}` }))),
      );

      expect(added.filter((result) => result === 'new')).toHaveLength(1);
      expect(await current().list()).toHaveLength(1);
    });
  });
}
