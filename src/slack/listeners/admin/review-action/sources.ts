import type { AdminSession } from '../../../../admin-api/admin-session.ts';
import type { ChangeStore } from '../../../../governance/changes/change.ts';
import type { ReadyRegister } from '../../../../governance/review/approved-state.ts';
import type { CorrectionSources } from '../../../../governance/review/find-correction.ts';
import type { JudgeOptions } from '../../../../governance/review/judge-environment.ts';
import type { Reviewed } from '../../../../governance/review/reviewed-finding.ts';
import { toStandards } from '../../../../governance/review/standards.ts';
import type { WithLock } from '../../../../with-lock.ts';

export type LookPorts = {
  changes: ChangeStore;
  exclusively: WithLock;
  /** The credit currency that agents use. */
  currency: string;
  now: () => number;
};

/** What a correction is planned from, in the name of one admin: the service and the register, as they are now. */
export function toCorrectionSources(
  session: AdminSession,
  { approved }: Reviewed,
  ports: LookPorts,
): CorrectionSources & { judging: JudgeOptions } {
  const { changes, exclusively, now } = ports;
  return { session, changes, exclusively, now, judging: toJudging(approved, ports) };
}

export function toJudging({ register }: ReadyRegister, { currency, now }: LookPorts): JudgeOptions {
  return { standards: toStandards(register), currency, now: now() };
}
