import { UserError } from '../../src/errors.ts';
import { renderCsv } from '../../src/governance/exports/sheet.ts';
import { readAgentIds } from '../../src/governance/policy-documents/import-document.ts';
import {
  countDiffering,
  countUnknown,
  isInOrder,
  type ReviewHead,
  runReview,
} from '../../src/governance/review/review.ts';
import { buildFindingSheet } from '../../src/governance/review/review-words.ts';
import { previewEdits } from '../../src/policy/edit.ts';
import { EMPTY_POLICY, type Policy } from '../../src/policy/policy.ts';
import { type Access, readEdits, toStore } from './access.ts';
import type { PolicyFile } from './read-file.ts';

/** Compares the settings at the service with the policy of the file, or else with the stored one. */
export async function check(file: PolicyFile | undefined, asCsv: boolean, access: Access): Promise<number> {
  const { session, services } = access;
  const policy = file === undefined ? requirePolicy(access) : await toPolicy(file, access);
  const review = await runReview(session, { ...services, policy: toStore(policy) });
  if (!review || review.head.environments + review.head.agents === 0)
    throw new UserError('nothing_there', NOTHING_THERE);
  const { head, findings } = review;
  const kept = { head, kept: findings.length };
  console.log(asCsv ? (await renderCsv(buildFindingSheet({ review: kept, findings }))).trimEnd() : describe(head));
  if (countDiffering(head) > 0) return 2;
  return isInOrder(head) ? 0 : 1;
}

const NOTHING_THERE = 'The service lists nothing, so nothing was compared. May this account look at the inventory?';

function requirePolicy({ policy, hasStore }: Access): Policy {
  if (hasStore) return policy;
  throw new UserError('no_policy', 'There is no store here, so there is no policy to compare with. Name a file.');
}

async function toPolicy({ read }: PolicyFile, { session }: Access): Promise<Policy> {
  const { edits } = await readEdits(read, EMPTY_POLICY, () => readAgentIds(session));
  return previewEdits(EMPTY_POLICY, edits);
}

function describe(head: ReviewHead): string {
  const { compared, asSent, isPart } = head;
  const parts = [
    `${countDiffering(head)} of ${compared} settings differ`,
    `${countUnknown(head)} unknown`,
    ...(asSent.count > 0 ? [`${asSent.count} limits as they were sent`] : []),
    ...(isPart ? ['the service did not list everything'] : []),
  ];
  return `${parts.join(', ')}.${countDiffering(head) > 0 ? ' With --csv you see each of them.' : ''}`;
}
