import { describe, expect, it } from 'vitest';
import { findShadowedByFile } from '../../../src/governance/review/decide-once.ts';
import { anException, openRegister } from '../register/register-samples.ts';

const ALL = '{ ServiceMessages: { allocated: 0, rules: { Alert: on, TenantPool: off, PayGo: off, Deny: on } } }';

/** Its exception has run out. */
const FILE = [
  'schema: 1',
  'environments:',
  '  - id: env-1',
  '    classification: maker-development',
  `    allocations: ${ALL}`,
  '    exceptions:',
  '      - { setting: TenantPool, currency: ServiceMessages, value: on, reason: r, approver: a, expires: 2026-03-03 }',
].join('\n');

const POOL = { setting: 'TenantPool', currency: 'ServiceMessages', value: 'on' } as const;
const PAY = { setting: 'PayGo', currency: 'ServiceMessages', value: 'on' } as const;

function inVain(accepts: (typeof POOL | typeof PAY)[]): string | undefined {
  const own = openRegister(FILE);
  const ready = { kind: 'ready', own, register: own, text: FILE, registerHash: '', records: [], unused: [] } as const;
  const record = anException({ environmentId: 'env-1', agentResourceId: undefined, accepts });
  return findShadowedByFile(record, { ...ready, records: [], unused: [] });
}

describe('accepting what the file has an exception for', () => {
  it('would change nothing, and is told to be mended in the file', () => {
    expect(inVain([POOL])).toContain('Change the last day there');
    expect(inVain([PAY, POOL])).toContain('Change the last day there');
  });

  it('is no matter for another setting', () => {
    expect(inVain([PAY])).toBeUndefined();
  });
});
