// How a change of a limit ended.

import { buildChangeOutcome, type ToldOutcome } from '../../../../governance/changes/change-views.ts';
import type { LimitOutcome, UnverifiedReason } from '../../../../governance/limits/apply-limit.ts';
import type { LimitPlan } from '../../../../governance/limits/limit-plan.ts';
import { describeKnownLimit } from '../../../../governance/limits/limit-words.ts';
import type { Content } from '../../content.ts';
import { describeRow } from '../change-confirm.ts';

export function buildLimitOutcome(plan: LimitPlan, outcome: LimitOutcome, { timeZone }: { timeZone: string }): Content {
  return buildChangeOutcome({ kind: 'limit', plan }, toTold(plan, outcome, timeZone));
}

function toTold(plan: LimitPlan, outcome: LimitOutcome, timeZone: string): ToldOutcome {
  const rows = [plan.rows.map(describeRow).join('\n')];
  switch (outcome.kind) {
    case 'verified':
      return { ...outcome, rows };
    case 'applied_not_verified':
      return { ...outcome, note: NOT_VERIFIED[outcome.reason], rows };
    case 'conflict': {
      const { expected, found, stage } = outcome;
      const values = `Expected: ${describeKnownLimit(expected, timeZone)}\nFound: ${describeKnownLimit(found, timeZone)}`;
      return { kind: 'conflict', stage, values, advice: ADVICE[stage] };
    }
    default:
      return outcome;
  }
}

const NOT_VERIFIED: Record<UnverifiedReason, string> = {
  not_offered:
    'It does not show the limits of agents, so this could not be checked. It is remembered here, with its date.',
  read_back_failed: 'Reading it back failed. Look with `/assistant-admin limits` in a few minutes.',
  not_listed: 'It does not list the new limit yet. Look with `/assistant-admin limits` in a few minutes.',
  stop_not_told: 'It shows the new values, but not whether the agent is stopped. Check that in the admin console.',
  still_old:
    'It still shows the old values. Look with `/assistant-admin limits` in a few minutes before you set it again.',
  no_answer:
    'The service did not answer in time, and looking did not settle it. Check the agent in the admin console, or with `/assistant-admin limits`, before you set it again.',
};

const ADVICE = {
  before_write: 'Open the agent again with `/assistant-admin limit`, and decide from what is there now.',
  after_write:
    'Somebody may have changed it at the same time. Look again with `/assistant-admin limits`, and agree with them.',
  unanswered:
    'Somebody may have changed it at the same time. Look again with `/assistant-admin limits` before you set it again.',
} as const;
