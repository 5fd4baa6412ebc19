import { describe, expect, it } from 'vitest';
import type { ExceptionRecord } from '../../src/governance/register/overlay.ts';
import type { OverlayStore } from '../../src/governance/register/overlay-store.ts';

export function describeOverlayStore(current: () => OverlayStore): void {
  describe('what was decided beside the register', () => {
    it('is listed as it was added, in that order', async () => {
      await current().add(anException('later', { at: 2 }));
      await current().add(anException('earlier', { at: 1, approvedBy: 'U0BEN' }));

      expect(await current().list()).toEqual([
        anException('later', { at: 2 }),
        anException('earlier', { at: 1, approvedBy: 'U0BEN' }),
      ]);
    });

    it('counts once, whoever confirms it twice at a time', async () => {
      const added = await Promise.all(
        Array.from({ length: 10 }, (_, index) => current().add(anException('same', { reason: `try ${index}` }))),
      );

      expect(added.filter((result) => result === 'new')).toHaveLength(1);
      expect(await current().list()).toHaveLength(1);
    });
  });
}

function anException(id: string, change: Partial<ExceptionRecord> = {}): ExceptionRecord {
  return {
    schema: 1,
    kind: 'exception',
    id,
    environmentId: 'Default-1',
    agentResourceId: undefined,
    reason: 'a migration until spring',
    by: { team: 'T1', workspace: 'T1', user: 'U0KIM' },
    at: 1,
    registerHash: 'a'.repeat(64),
    accepts: [{ setting: 'TenantPool', currency: 'ServiceMessages', value: 'on' }],
    expiresOn: '2027-03-31',
    ...change,
  };
}
