import { describe, expect, it } from 'vitest';
import {
  type DraftInput,
  describeDraft,
  draftPolicy,
  readDraftForm,
} from '../../../src/governance/review/draft-form.ts';
import { readClass, readCredits } from '../../../src/policy/policy.ts';
import type { Limit } from '../../../src/policy/values.ts';
import { readFields } from '../../../src/slack/views/fields.ts';
import { CURRENCY } from '../samples.ts';
import { NOW } from '../world.ts';
import { aSeen, reviewSeen } from './a-seen.ts';
import { aSeenAgent, LIMIT, toPolicy } from './a-tenant.ts';

const RULES = { Alert: true, TenantPool: true, PayGo: false, Deny: false };
const INPUT: DraftInput = {
  productionWords: ['env-2'],
  makerLimit: undefined,
  productionLimit: undefined,
  currency: CURRENCY,
};
const AGENTS = [aSeenAgent('env-1', 1), aSeenAgent('env-1', 2), aSeenAgent('env-2', 1), aSeenAgent('env-2', 2)];
const SEEN = aSeen({
  environments: ['env-1', 'env-2'],
  agents: AGENTS,
  thresholds: {
    'env-1-agent-1': { limit: LIMIT, stopped: false },
    'env-2-agent-1': { limit: 'none', stopped: true },
  },
  credits: { 'env-1': { [CURRENCY]: { allocated: 0, rules: RULES } }, 'env-2': 'unreadable' },
});

describe('the first policy', () => {
  it('leaves nothing to be set where the limits of the classes are left open', () => {
    const { edits } = draftPolicy(SEEN, INPUT);
    const policy = toPolicy(edits);

    const { head, findings } = reviewSeen(policy, SEEN);

    expect(findings).toEqual([]);
    expect(head.counts).toEqual({ new: 0, more: 0, less: 0, ending: 0, unknown: 0 });
    expect(readClass(policy, 'env-1', NOW)).toBe('maker');
    expect(readClass(policy, 'env-2', NOW)).toBe('production');
    expect(readCredits(policy, { environmentId: 'env-1', currency: CURRENCY }, NOW)?.value).toEqual({
      allocated: 0,
      rules: RULES,
    });
  });

  it('gives agents without a limit that of their class, and leaves the others as they were found', () => {
    const higher: Limit = { credits: 2_000, noticeAt: 80, stopAtLimit: false };
    const policy = toPolicy(draftPolicy(SEEN, { ...INPUT, makerLimit: higher, productionLimit: LIMIT }).edits);

    const items = reviewSeen(policy, SEEN).findings.flatMap((one) => ('item' in one ? [one.item] : []));

    expect(items.map((item) => (item.resource === 'threshold' ? [item.agent.agentId, item.after] : []))).toEqual([
      ['env-1-agent-2', { limit: higher, stopped: false }],
      ['env-2-agent-1', { limit: LIMIT, stopped: true }],
      ['env-2-agent-2', { limit: LIMIT, stopped: false }],
    ]);
  });

  it('says what it makes of the names, and what it could not read', () => {
    expect(describeDraft(draftPolicy(SEEN, INPUT), { isPart: true })).toEqual([
      '*1 environment as production*: *The env-2*; 1 other as maker.',
      'Credits and rules are approved as they are set now.',
      'The limit or stop of 2 agents is approved as it is set now.',
      ':warning: The credits of *The env-2* could not be read, and are left open.',
      ':warning: The service did not list everything: the rest will be new in the next review.',
    ]);
  });
});

describe('its window', () => {
  const fill = (texts: Record<string, string>) =>
    readDraftForm(
      readFields({
        state: {
          values: Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, { [name]: { value } }])),
        },
      }),
    );

  it('reads numbers as people type them, and says which is none', () => {
    expect(fill({ words: '', maker: '2,000', production: '1.5' })).toMatchObject({
      filled: {
        productionWords: [],
        makerLimit: { credits: 2_000, noticeAt: 80, stopAtLimit: false },
        productionLimit: { credits: 1.5 },
      },
    });
    expect(fill({ maker: 'lots', production: '-1' })).toEqual({
      errors: { maker: expect.any(String), production: expect.any(String) },
    });
  });
});
