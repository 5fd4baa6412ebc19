// One finding of a review: what is wrong in words, and the buttons for what can be done about it.

import type { ActionsBlock, Button, KnownBlock } from '@slack/types';
import { buildPlainText, buildSection, formatTime, toMrkdwnLine } from '../../slack/views/content.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { isCorrectable } from './correction.ts';
import { describeApproved } from './decided-views.ts';
import { type AgentFinding, type EnvironmentFinding, type Finding, isAcceptable, isLimitToSet } from './finding.ts';
import {
  describeClassification,
  describeDifference,
  describeName,
  describePerson,
  describePool,
  describeReason,
  formatCount,
} from './finding-words.ts';
import { encodeReviewPlace, REVIEW_TOPICS } from './review-buttons.ts';

/** The place of the finding, the reader's time zone, and the agents that are listed under an environment's. */
type FindingPlace = { report: string; page: number; timeZone: string; coveredAgents?: number };

const MAX_NAME_LENGTH = 80;

/** Of the 3,000 characters of a section, once they are escaped. */
const MAX_DIFFERENCES_LENGTH = 1_400;

const MAX_OWNERS = 3;

/** At most two blocks. */
export function buildFinding(finding: Finding, place: FindingPlace): KnownBlock[] {
  const lines = [
    describeTitle(finding),
    ...describeMore(finding, place),
    ...describeDifferences(finding),
    describeOwners(finding),
  ];
  const { buttons, isTooLong } = buildButtons(finding, place);
  const note = isTooLong ? ['_Its id is too long for a button: nothing can be done about it from here._'] : [];
  const section = buildSection([...lines, ...note].join('\n'));
  return buttons.length === 0 ? [section] : [section, { type: 'actions', elements: buttons } satisfies ActionsBlock];
}

function describeTitle(finding: Finding): string {
  const name = `*${describeName(finding, MAX_NAME_LENGTH)}*`;
  const what = finding.kind === 'environment' ? describeUse(finding) : 'agent';
  return `${finding.kind === 'agent' ? '↳ ' : ''}${name} · ${what} · ${describeStatus(finding)}`;
}

function describeUse({ classification }: EnvironmentFinding): string {
  if (classification === undefined) return 'environment';
  return describeClassification(classification);
}

function describeStatus({ kind, status, reason }: Finding): string {
  switch (status) {
    case 'compliant':
    case 'as_far_as_told':
    case 'approved_exception':
      return 'OK';
    case 'drift':
      return ':warning: *drift*';
    case 'unclassified':
      return kind === 'environment' ? ':new: *not in the register*' : ':new: *no limit approved for it*';
    case 'vanished':
      return ':ghost: *gone*: the register names it, and the service does not list it any more';
    case 'unreadable':
      return `:grey_question: *unknown*: ${describeReason(reason ?? 'unexpected', kind)}`;
  }
}

function describeDifferences({ differences }: Finding): string[] {
  if (differences.length === 0) return [];
  const lines: string[] = [];
  let [length, count] = [0, 0];
  for (const difference of differences) {
    const line = `• ${describeDifference(difference)}`;
    if (length + line.length > MAX_DIFFERENCES_LENGTH) break;
    lines.push(line);
    length += line.length;
    count += 1;
  }
  const missing = differences.length - count;
  return missing === 0 ? lines : [...lines, `• and ${formatCount(missing, 'more difference')}`];
}

function describeMore(finding: Finding, { timeZone, coveredAgents = 0 }: FindingPlace): string[] {
  return finding.kind === 'environment'
    ? describeEnvironment(finding, coveredAgents)
    : describeAgent(finding, timeZone);
}

function describeEnvironment({ status, reason, tenantPool }: EnvironmentFinding, coveredAgents: number): string[] {
  const agents = coveredAgents === 0 ? [] : [describeCovered(coveredAgents)];
  switch (status) {
    case 'unclassified': {
      const unread = reason === undefined ? [] : [`Its credits are unknown: ${describeReason(reason, 'environment')}`];
      return [...unread, ...describePool(tenantPool), ...agents];
    }
    case 'vanished':
      return [
        'Take it out of the register if it was deleted.',
        ...(coveredAgents === 0 ? [] : [`${formatCount(coveredAgents, 'agent')} of it in the register`]),
      ];
    default:
      return [];
  }
}

function describeCovered(count: number): string {
  if (count === 1) return 'Its agent is reviewed after it is classified.';
  return `Its ${formatCount(count, 'agent')} are reviewed after it is classified.`;
}

function describeAgent(finding: AgentFinding, timeZone: string): string[] {
  const { status, limitSource, limitSetAt, limitStaleAt, differences, approvedLimit } = finding;
  if (status === 'vanished') return ['Take it out of the register if it was deleted.'];
  const when = limitSetAt === undefined ? '' : ` on ${formatTime(limitSetAt, timeZone)}`;
  if (isLimitToSet(finding) && approvedLimit !== undefined) {
    const until = limitStaleAt === undefined ? '' : `; that counted until ${formatTime(limitStaleAt, timeZone)}`;
    const set = limitSetAt === undefined ? [] : [`Set from here as approved${when}${until}`];
    return [...set, `Approved: ${describeApproved(approvedLimit)}`];
  }
  const isOld = limitSource === 'last_set' && differences.length > 0;
  return isOld ? [`_Found is what was last set from here${when}; somebody may have changed it elsewhere since._`] : [];
}

function describeOwners({ owners, ownerId }: Finding): string {
  if (owners.length > 0) {
    const shown = owners.slice(0, MAX_OWNERS).map(describePerson).join(', ');
    return `Owner: ${shown}${owners.length > MAX_OWNERS ? ` and ${owners.length - MAX_OWNERS} more` : ''}`;
  }
  return `Owner: ${ownerId === undefined ? 'unknown' : `${toMrkdwnLine(ownerId, 60)} _(id in the directory)_`}`;
}

function buildButtons(finding: Finding, { report, page }: FindingPlace): { buttons: Button[]; isTooLong: boolean } {
  const wanted = listActions(finding);
  const value = encodeReviewPlace({ report, page, key: finding.key });
  if (value === undefined) return { buttons: [], isTooLong: wanted.length > 0 };
  const buttons = wanted.map(
    ([{ id }, label]): Button => ({ type: 'button', action_id: id, text: buildPlainText(label), value }),
  );
  return { buttons, isTooLong: false };
}

function listActions(finding: Finding): [topic: ModalTopic, label: string][] {
  const { kind, status, differences } = finding;
  const actions: [ModalTopic, string][] = [];
  if (isLimitToSet(finding)) {
    actions.push([REVIEW_TOPICS.correct, finding.reason === 'limit_not_told' ? 'Set limit…' : 'Set again…']);
  } else if (isCorrectable(finding)) actions.push([REVIEW_TOPICS.correct, 'Correct…']);
  if (status === 'drift' && differences.some(isAcceptable)) actions.push([REVIEW_TOPICS.exception, 'Accept…']);
  if (status === 'unclassified') {
    actions.push(
      kind === 'environment'
        ? [REVIEW_TOPICS.classification, 'Classify…']
        : [REVIEW_TOPICS.agent_limit, 'Approve limit…'],
    );
  }
  return actions;
}
