// Findings for the views of a review; a test names what it looks at.
import type { AgentFinding, Difference, EnvironmentFinding } from '../../../src/governance/review/finding.ts';
import type { ReportHead } from '../../../src/governance/review/report.ts';
import { summarize } from '../../../src/governance/review/review-summary.ts';

export const AT = Date.parse('2026-03-04T13:05:00Z');

export function aDifference(values: Partial<Difference> = {}): Difference {
  return {
    ...{ setting: 'Deny', currency: 'ServiceMessages', approved: 'on', found: 'off' },
    ...{ way: 'looser', exception: undefined },
    ...values,
  } as Difference;
}

const FINDING = {
  ...{ environmentId: 'env-1', owners: [], ownerId: 'owner-1', status: 'drift' as const },
  ...{ reason: undefined, expiresOn: undefined },
};

export function anEnvironmentFinding(values: Partial<EnvironmentFinding> = {}): EnvironmentFinding {
  const own = { kind: 'environment', key: 'env-1', name: 'Production', classification: 'funded-production' } as const;
  return { ...FINDING, ...own, tenantPool: 'off', differences: [aDifference()], ...values };
}

export function anAgentFinding(values: Partial<AgentFinding> = {}): AgentFinding {
  const limit = { setting: 'monthlyLimit', currency: undefined, approved: 100, found: 9_000 } as const;
  return {
    ...{ ...FINDING, kind: 'agent', key: 'env-1\nagent-1', name: 'Invoice Reader', agentResourceId: 'bot-1' },
    ...{ agentName: 'agent-1', isHarness: true, differences: [aDifference(limit)], limitSource: 'deployment' },
    approvedLimit: { monthlyLimit: 100, alertAt: 80, stopWhenReached: 'on' },
    ...values,
  } as AgentFinding;
}

/** As approved, as far as the service tells: set from here, and it does not show limits. */
export function aToldAgentFinding(values: Partial<AgentFinding> = {}): AgentFinding {
  const set = { limitSource: 'last_set', limitSetAt: AT, limitStaleAt: AT + 30 * 24 * 60 * 60 * 1000 } as const;
  return anAgentFinding({ status: 'as_far_as_told', differences: [], ...set, ...values });
}

/** Of a review that found nothing, where the test does not say. */
export function aHead(values: Partial<ReportHead> = {}): ReportHead {
  const gaps = { environments: undefined, agents: undefined };
  return {
    ...{ id: 'r1', at: AT, endedAt: AT + 95_400, registerHash: '0123456789abcdef', gaps, pageCount: 0 },
    ...{ summary: summarize([], gaps, 0), newOnTenantPool: [], covered: 0, told: [], cut: 0, unused: {} },
    ...values,
  };
}
