// The plan that follows from edits: the next policy, compared with what the service shows of what the edits touch.
import { applyEdits, type Edit } from '../policy/edit.ts';
import { type Policy, readClass, type Why } from '../policy/policy.ts';
import { type Target, toEntryKey } from '../policy/target.ts';
import type { SettingId } from '../policy/values.ts';
import type { CompareOptions, Scope } from './comparison.ts';
import { findDifferences } from './find-differences.ts';
import { createPlan, type Item, type LeftOut, type Plan } from './plan.ts';
import { hashBasis } from './plan-basis.ts';
import type { Seen } from './seen.ts';

/** Nobody is named before it is confirmed: only the values count. */
const NOBODY: Why = { by: '', reason: '', at: 0 };

/** `id`: 12 hexadecimal digits. `seen`: has to have looked at everything that the edits touch. */
export function makePlan(
  id: string,
  policy: Policy,
  edits: readonly Edit[],
  seen: Seen,
  options: CompareOptions,
): Plan {
  const next = applyEdits(policy, edits, NOBODY);
  const { items, leftOut } = findDifferences(next, seen, toScope(next, edits, options.now), {
    ...options,
    before: policy,
  });
  return toPlan(id, policy, { edits, items, leftOut });
}

/** Of items that are known already. */
export function toPlan(
  id: string,
  policy: Policy,
  { edits, items, leftOut }: { edits: readonly Edit[]; items: readonly Item[]; leftOut: readonly LeftOut[] },
): Plan {
  const basis = hashBasis(policy, { edits, items });
  return createPlan(id, {
    policy: policy.revision,
    basis,
    edits: [...edits],
    items: [...items],
    leftOut: [...leftOut],
  });
}

/** What the edits touch: an agent, its environment, or all environments of a class. */
function toScope(policy: Policy, edits: readonly Edit[], now: number): Scope {
  const touched = new Set(edits.map(toTouched));
  const isTouched = (setting: SettingId, target: Target) => touched.has(toEntryKey(setting, target));
  const isOfClass = (environmentId: string) => {
    if (isTouched('class', { environmentId })) return true;
    const className = readClass(policy, environmentId, now);
    return className !== undefined && isTouched('standard', { className });
  };
  return {
    agent({ environmentId, agentId }, currency) {
      const limit = isOfClass(environmentId) || isTouched('limit', { environmentId, agentId, currency });
      const stop = isTouched('stop', { environmentId, agentId }) || isTouched('stop', { environmentId });
      return limit || stop ? { limit, stop } : undefined;
    },
    credits: (environmentId, currency) => isOfClass(environmentId) || isTouched('credits', { environmentId, currency }),
  };
}

function toTouched({ setting, target }: Edit): string {
  return toEntryKey(setting, target);
}
