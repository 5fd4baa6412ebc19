import type { CorrectionSources } from '../../../governance/review/find-correction.ts';
import type { JudgeOptions } from '../../../governance/review/judge-environment.ts';
import { toStandards } from '../../../governance/review/standards.ts';
import type { AdminPorts, AdminSession } from './admin-ports.ts';
import type { Reviewed } from './review-action-finding.ts';

/** What a correction is planned from, in the name of one admin: the service and the register, as they are now. */
export function toCorrectionSources(
  { client, token }: AdminSession,
  { approved }: Reviewed,
  { changes, exclusively, currency, now }: AdminPorts,
): CorrectionSources & { judging: JudgeOptions } {
  return {
    readAllocation: (environmentId) => client.readAllocation(token, environmentId),
    readEntitlements: (environmentId) => client.readEntitlements(token, environmentId),
    readThresholds: () => client.readThresholds(token),
    changes,
    exclusively,
    now,
    judging: { standards: toStandards(approved.register), currency, now: now() },
  };
}
