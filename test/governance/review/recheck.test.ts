import { describe, expect, it } from 'vitest';
import { mergeOverlay } from '../../../src/governance/register/merge-overlay.ts';
import type { OverlayRecord } from '../../../src/governance/register/overlay.ts';
import type { Register } from '../../../src/governance/register/register.ts';
import type { ReadyRegister } from '../../../src/governance/review/approved-state.ts';
import {
  acceptDrift,
  approveLimit,
  approvesMore,
  classifyEnvironment,
} from '../../../src/governance/review/decisions.ts';
import type { Finding } from '../../../src/governance/review/finding.ts';
import { decideAgain, findShadowedByFile } from '../../../src/governance/review/recheck.ts';
import { anException, openRegister } from '../register/register-samples.ts';
import { aDifference, anAgentFinding, anEnvironmentFinding } from './review-samples.ts';
import { aRegister, aRegisteredEnvironment, CURRENCY, NOW } from './review-world.ts';

const DAY_MS = 86_400_000;
const REQUEST = {
  ...{ id: 'd1', by: { team: 'T1', workspace: 'T1', user: 'U1' }, at: NOW, registerHash: 'hash-1', reason: 'a pilot' },
  approvedBy: undefined,
};
const BY_BEN = { approvedBy: 'U2', at: NOW + 1_000 };

const DEFAULTS = {
  allocations: [
    {
      ...{ currencyType: CURRENCY, allocated: 0 },
      rules: { Alert: 'on', TenantPool: 'off', PayGo: 'off', Deny: 'on' } as const,
    },
  ],
  unnamedAgents: undefined,
};
const OPEN = aRegister({ defaults: { 'maker-development': DEFAULTS }, environments: [] });
const UNNAMED = aRegister({ environments: [aRegisteredEnvironment({ unnamedAgents: undefined })] });

/** The register with what was decided meanwhile. */
function approved(register: Register, ...records: OverlayRecord[]): ReadyRegister {
  const merged = mergeOverlay(register, records);
  return { kind: 'ready', ...merged, own: register, text: '', registerHash: 'hash-1', records };
}

function recordOf(decided: { record: OverlayRecord } | { problem: string }): OverlayRecord {
  if ('problem' in decided) throw new Error(decided.problem);
  return decided.record;
}

const drift = anEnvironmentFinding();
const stray = anEnvironmentFinding({ status: 'unclassified', differences: [], classification: undefined });
const agent = anAgentFinding({ status: 'unclassified', differences: [] });

const exception = recordOf(acceptDrift(drift, { ...REQUEST, expiresOn: '2026-03-31' }));
const classification = recordOf(
  classifyEnvironment(stray, { ...REQUEST, register: OPEN, classification: 'maker-development' }),
);
const limit = recordOf(approveLimit(agent, { ...REQUEST, limit: { monthlyLimit: 'none' } }));

const CASES: [string, OverlayRecord, Finding, Register][] = [
  ['an exception', exception, drift, aRegister()],
  ['a classification', classification, stray, OPEN],
  ['a limit', limit, agent, UNNAMED],
];

describe('what was approved', () => {
  it.each(CASES)('is recorded with both names, and from then on (%s)', (_, record, finding, register) => {
    const decided = decideAgain({ record, finding }, approved(register), BY_BEN);

    expect(decided).toEqual({ record: { ...record, approvedBy: 'U2', at: NOW + 1_000 } });
  });

  it.each(CASES)('is not recorded where the same was decided meanwhile (%s)', (_, record, finding, register) => {
    const other = { ...record, id: 'd0' };

    expect(decideAgain({ record, finding }, approved(register, other), BY_BEN)).toEqual({
      problem: expect.stringContaining('Look at the review again.'),
    });
  });

  it.each(CASES)('is not recorded beside another register (%s)', (_, record, finding, register) => {
    const changed = { ...approved(register), registerHash: 'hash-2' };

    expect(decideAgain({ record, finding }, changed, BY_BEN)).toEqual({
      problem: expect.stringContaining("The register's file was changed since this was asked for."),
    });
  });

  it('is not recorded where some of it was accepted meanwhile, for longer or shorter', () => {
    const finding = anEnvironmentFinding({ differences: [aDifference(), aDifference({ setting: 'PayGo' })] });
    const record = recordOf(acceptDrift(finding, { ...REQUEST, expiresOn: '2026-03-31' }));

    const decided = decideAgain({ record, finding }, approved(aRegister(), { ...exception, id: 'd0' }), BY_BEN);

    expect(decided).toEqual({ problem: expect.stringContaining('Somebody else has decided about this meanwhile') });
  });

  it('is recorded where only some of the drift was to be accepted', () => {
    const finding = anEnvironmentFinding({ differences: [aDifference(), aDifference({ setting: 'PayGo' })] });
    const [chosen] = finding.differences;
    const record = recordOf(
      acceptDrift({ ...finding, differences: chosen ? [chosen] : [] }, { ...REQUEST, expiresOn: '2026-03-31' }),
    );

    const decided = decideAgain({ record, finding }, approved(aRegister()), BY_BEN);

    expect(decided).toMatchObject({ record: { accepts: [{ setting: chosen?.setting }], approvedBy: 'U2' } });
  });

  it('is not recorded past the last day of the exception', () => {
    const late = { approvedBy: 'U2', at: NOW + 60 * DAY_MS };

    expect(decideAgain({ record: exception, finding: drift }, approved(aRegister()), late)).toEqual({
      problem: 'This day is over. Choose a later one.',
    });
  });
});

describe('what approves more than the register', () => {
  it('is any drift that is not tighter, as far as it is still open', () => {
    const ways = (['looser', 'unclear', 'tighter'] as const).map((way) => {
      return approvesMore('exception', anEnvironmentFinding({ differences: [aDifference({ way })] }));
    });
    const accepted = { isExpired: false, reason: '', approver: 'U1', expiresOn: '2026-12-31' };
    const settled = anEnvironmentFinding({ differences: [aDifference({ exception: accepted })] });
    const untold = anEnvironmentFinding({ differences: [aDifference({ found: 'unknown' })] });

    expect(ways).toEqual([true, true, false]);
    expect([settled, untold].map((finding) => approvesMore('exception', finding))).toEqual([false, false]);
  });

  it('is judged by what is accepted of it alone', () => {
    const looser = aDifference({ way: 'looser' });
    const tighter = aDifference({ setting: 'PayGo', way: 'tighter' });
    const finding = anEnvironmentFinding({ differences: [looser, tighter] });
    const accepting = ({ setting, currency }: typeof looser) => [{ setting, currency, value: 'on' as const }];

    const judged = [looser, tighter].map((one) => approvesMore('exception', finding, accepting(one)));

    expect(judged).toEqual([true, false]);
  });

  it('is whatever is said of what the register does not name', () => {
    expect([approvesMore('classification', stray), approvesMore('agent_limit', agent)]).toEqual([true, true]);
  });
});

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
