// What a bulk change consists of: changes in the service, and classifications, which are recorded beside the register.
import { needsSecondApprover } from '../changes/change.ts';
import type { PlannedChange } from '../changes/change-kind.ts';
import type { ApprovedLimit, Classification, StatedAllocation } from '../register/register.ts';

/** Plain values only: kept as JSON until the bulk change has ended. */
export type ClassificationItem = {
  kind: 'classification';
  environmentId: string;
  /** Untrusted. */
  name: string;
  classification: Classification;
  /** What is approved beyond the register's defaults. */
  allocations?: StatedAllocation[] | 'none' | undefined;
  unnamedAgents?: ApprovedLimit | undefined;
  /** Of the file that it was planned beside. */
  registerHash: string;
};

export type BulkItem = PlannedChange | ClassificationItem;

export function isClassification(item: BulkItem): item is ClassificationItem {
  return item.kind === 'classification';
}

/** Every classification approves something that the register did not. */
export function needsApproval(item: BulkItem, ports: { needsApproval: boolean }): boolean {
  return isClassification(item) ? ports.needsApproval : needsSecondApprover(item.plan, ports);
}
