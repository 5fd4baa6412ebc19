import { describe, expect, it } from 'vitest';
import { buildDecided } from '../../../src/governance/review/decided-views.ts';
import { findMessageProblems, readTexts } from '../limits/limit-samples.ts';
import { AT, aDifference, anAgentFinding, anEnvironmentFinding } from './review-samples.ts';

const LONG = `<!channel> & ${'ß<'.repeat(300)}`;

describe('what was decided', () => {
  const decision = {
    ...{ schema: 1 as const, id: 'd', environmentId: 'env-1', reason: LONG, registerHash: 'h', at: AT },
    by: { team: 'T', workspace: 'T', user: 'U1' },
  };

  it('is told with the values, and how to put it into the register', () => {
    const accepts = [{ setting: 'allocated' as const, currency: 'ServiceMessages', value: 9_000 }];
    const drift = aDifference({ setting: 'allocated', approved: 0, found: 9_000 });
    const finding = anEnvironmentFinding({ differences: [drift, { ...drift, currency: 'AI' }] });

    const content = buildDecided(
      { ...decision, kind: 'exception', agentResourceId: undefined, accepts, expiresOn: '2026-12-31' },
      finding,
      undefined,
    );

    expect(findMessageProblems(content)).toEqual([]);
    expect(content.text).toContain('*Accepted* until 31 Dec 2026');
    expect(readTexts(content).match(/• Allocated credits/g)).toHaveLength(1);
    expect(readTexts(content)).toContain('`/assistant-admin review export`');
  });

  it('has no name in it that could pass for words of ours', () => {
    const record = { ...decision, kind: 'exception', agentResourceId: undefined, expiresOn: '2026-12-31' } as const;
    const finding = anEnvironmentFinding({ name: 'Lab* is *in order' });

    const content = buildDecided({ ...record, accepts: [] }, finding, undefined);

    expect(content.text).toContain('the drift of *Lab∗ is ∗in order* is an approved exception.');
  });

  it('is told of a classification and of a limit', () => {
    const classified = buildDecided(
      {
        ...{ ...decision, kind: 'classification', name: LONG, classification: 'funded-production' },
        ...{ owners: ['U0BEN', LONG], allocations: undefined },
      },
      anEnvironmentFinding({ name: LONG }),
      undefined,
    );
    const approved = buildDecided(
      {
        ...{ ...decision, kind: 'agent_limit', agentResourceId: 'bot-1', name: LONG },
        limit: { monthlyLimit: 1_000, alertAt: 'off', stopWhenReached: 'off' },
      },
      anAgentFinding({ name: LONG }),
      LONG,
    );

    expect(findMessageProblems(classified)).toEqual([]);
    expect(readTexts(classified)).toContain('is funded production.');
    expect(readTexts(classified)).toContain('Owners: <@U0BEN>, &lt;!channel&gt;');
    expect(findMessageProblems(approved)).toEqual([]);
    expect(readTexts(approved)).toContain('1,000 credits a month, no notice, does not stop.');
  });
});
