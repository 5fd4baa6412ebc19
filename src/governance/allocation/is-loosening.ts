import type { CurrencyAllocation } from '../../admin-api/licensing-wire.ts';
import { type FoundRule, readRule } from './credit-rules.ts';
import type { WantedCredits } from './with-credits.ts';

type Loosens = boolean | 'unknown';

/**
 * Whether more may be spent than before: a higher allocation, TenantPool or PayGo on, Deny off. `unknown`: what held
 * before is not told, the platform's own choice included; whoever asks for a second admin asks then, too.
 */
export function isLooseningCredits(before: CurrencyAllocation | undefined, after: WantedCredits): Loosens {
  const answers: Loosens[] = [
    isHigher(before, after.allocated),
    after.rules.TenantPool && isOtherThan('on', readRule(before, 'TenantPool')),
    after.rules.PayGo && isOtherThan('on', readRule(before, 'PayGo')),
    !after.rules.Deny && isOtherThan('off', readRule(before, 'Deny')),
  ];
  if (answers.includes(true)) return true;
  return answers.includes('unknown') ? 'unknown' : false;
}

/** A currency that is not listed has nothing allocated. */
function isHigher(before: CurrencyAllocation | undefined, allocated: number): Loosens {
  if (before === undefined) return allocated > 0;
  return before.allocated === undefined ? 'unknown' : allocated > before.allocated;
}

function isOtherThan(state: 'on' | 'off', found: FoundRule): Loosens {
  if (found === state) return false;
  return found === 'on' || found === 'off' ? true : 'unknown';
}
