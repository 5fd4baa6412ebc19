// From a finding as it is now to the plan that corrects it, or to what stands in the way. Pure.
import type { Allocation } from '../../admin-api/licensing-wire.ts';
import { isSameWord, type RuleType } from '../allocation/credit-rules.ts';
import { type AllocationPlan, planAllocation, type StatedCredits } from '../allocations/allocation-plan.ts';
import type { GovernedAgent, KnownLimit, StopDecision } from '../inventory/agent-limit.ts';
import { type LimitPlan, planLimit } from '../limits/limit-plan.ts';
import { type CreditsCorrection, correctCredits, correctLimit } from './correction.ts';
import type { AgentFinding, EnvironmentFinding, Finding } from './finding.ts';

export type LeftDifference = CreditsCorrection['left'][number];

/** A rule that the register leaves to the platform, and of which nothing tells what holds now. */
type OpenRule = { currencyType: string; rule: RuleType };

/** What an admin says about it: an update has to set all four. */
export type ChosenRule = OpenRule & { isOn: boolean };

export type Correction =
  | { kind: 'allocation'; finding: EnvironmentFinding; plan: AllocationPlan; left: LeftDifference[] }
  | {
      kind: 'limit';
      finding: AgentFinding;
      plan: LimitPlan;
      stopDecision: StopDecision | undefined;
      left: LeftDifference[];
    }
  | { kind: 'needs_choice'; finding: EnvironmentFinding; open: OpenRule[]; left: LeftDifference[] }
  | {
      kind: 'needs_stop_decision';
      finding: AgentFinding;
      agent: GovernedAgent;
      stopped: true | 'unknown';
      left: LeftDifference[];
    }
  /** Nothing states what is to be allocated, and it cannot be read: it would have to be made up. */
  | { kind: 'amount_not_told'; finding: EnvironmentFinding; left: LeftDifference[] }
  /** In order by now, or all that is not is left as it is. */
  | {
      kind: 'nothing';
      finding: Finding;
      left: LeftDifference[];
      /** It is as the register has it for environments that it does not name. */
      isAsUnnamed?: boolean;
    };

/** `finding`: of this allocation. */
export function planCreditsCorrection(
  finding: EnvironmentFinding,
  request: {
    before: Allocation;
    consumption: readonly { currencyType: string; consumed: number }[];
    chosen?: readonly ChosenRule[] | undefined;
  },
): Correction {
  const { before, consumption, chosen = [] } = request;
  const { stated, left } = correctCredits(finding);
  if (stated.length === 0) return { kind: 'nothing', finding, left };
  const result = planAllocation({ before, stated: stated.map((one) => withChosen(one, chosen)), consumption });
  if (result.kind === 'needs_choice') {
    const open = result.open.flatMap(({ currencyType, setting }) =>
      setting === 'allocated' ? [] : [{ currencyType, rule: setting }],
    );
    return open.length < result.open.length
      ? { kind: 'amount_not_told', finding, left }
      : { kind: 'needs_choice', finding, open, left };
  }
  const { plan } = result;
  return plan.changes ? { kind: 'allocation', finding, plan, left } : { kind: 'nothing', finding, left };
}

/** `finding`: of this limit. Whoever is stopped stays so unless `stopDecision` says otherwise. */
export function planLimitCorrection(
  finding: AgentFinding,
  request: { agent: GovernedAgent; known: KnownLimit; stopDecision?: StopDecision | undefined },
): Correction {
  const { agent, known, stopDecision } = request;
  const { wanted, left } = correctLimit(finding, known);
  if (wanted === undefined) return { kind: 'nothing', finding, left };
  const result = planLimit({ agent, before: known, wanted, stopDecision });
  return result.kind === 'planned'
    ? { kind: 'limit', finding, plan: result.plan, stopDecision, left }
    : { kind: 'needs_stop_decision', finding, agent, stopped: result.stopped, left };
}

// What is approved goes before what was chosen: nobody is asked about that.
function withChosen(stated: StatedCredits, chosen: readonly ChosenRule[]): StatedCredits {
  const own = chosen.filter(({ currencyType }) => isSameWord(currencyType, stated.currencyType));
  return { ...stated, rules: { ...Object.fromEntries(own.map(({ rule, isOn }) => [rule, isOn])), ...stated.rules } };
}
