// A decision that waited for its approval, made once more beside the register as it is by then.
import { toCanonicalJson } from '../canonical-json.ts';
import type { OverlayRecord } from '../register/overlay.ts';
import type { ReadyRegister } from './approved-state.ts';
import { acceptDrift, classifyEnvironment, type Decided } from './decisions.ts';
import type { Finding } from './finding.ts';
import { toStandards } from './standards.ts';
import { DECIDED_MEANWHILE, findLimitProblem, withExceptionsOfNow } from './still-open.ts';

const REGISTER_CHANGED =
  "The register's file was changed since this was asked for. Review again, and decide from what it says now.";

/** Exactly what was approved, or the sentence that says why it cannot be recorded any more. `at`: epoch ms. */
export function decideAgain(
  { record, finding }: { record: OverlayRecord; finding: Finding },
  approved: ReadyRegister,
  { approvedBy, at }: { approvedBy: string; at: number },
): Decided<OverlayRecord> {
  if (approved.registerHash !== record.registerHash) return { problem: REGISTER_CHANGED };
  const problem = findProblem({ ...record, at }, finding, approved);
  return problem === undefined ? { record: { ...record, approvedBy, at } } : { problem };
}

function findProblem(record: OverlayRecord, finding: Finding, { register }: ReadyRegister): string | undefined {
  const standards = toStandards(register);
  switch (record.kind) {
    case 'exception': {
      const current = withExceptionsOfNow(finding, standards, record.at);
      if (current.status !== 'drift') return DECIDED_MEANWHILE;
      const again = acceptDrift(current, record);
      if ('problem' in again) return again.problem;
      return toCanonicalJson(again.record.accepts) === toCanonicalJson(record.accepts) ? undefined : DECIDED_MEANWHILE;
    }
    case 'classification': {
      if (finding.kind !== 'environment') return DECIDED_MEANWHILE;
      const again = classifyEnvironment(finding, { ...record, register });
      return 'problem' in again ? again.problem : undefined;
    }
    case 'agent_limit':
      return finding.kind === 'agent' ? findLimitProblem(finding, standards) : DECIDED_MEANWHILE;
  }
}
