import type { ReadyRegister } from '../../../../governance/review/approved-state.ts';
import type { CorrectionSources } from '../../../../governance/review/find-correction.ts';
import type { JudgeOptions } from '../../../../governance/review/judge-environment.ts';
import { toStandards } from '../../../../governance/review/standards.ts';
import type { AdminPorts, AdminSession } from '../admin-ports.ts';
import type { Reviewed } from './finding.ts';

/** What a correction is planned from, in the name of one admin: the service and the register, as they are now. */
export function toCorrectionSources(
  session: AdminSession,
  { approved }: Reviewed,
  ports: AdminPorts,
): CorrectionSources & { judging: JudgeOptions } {
  return { ...toSources(session, ports), judging: toJudging(approved, ports) };
}

/** The service, as it is now. */
export function toSources(
  { client, token }: AdminSession,
  { changes, exclusively, now }: AdminPorts,
): CorrectionSources {
  return {
    readAllocation: (environmentId) => client.readAllocation(token, environmentId),
    readEntitlements: (environmentId) => client.readEntitlements(token, environmentId),
    readThresholds: () => client.readThresholds(token),
    changes,
    exclusively,
    now,
  };
}

export function toJudging({ register }: ReadyRegister, { currency, now }: AdminPorts): JudgeOptions {
  return { standards: toStandards(register), currency, now: now() };
}
