// One finding of a review: what is wrong in words, and the buttons for what can be done about it.
import type { ActionsBlock, Button, KnownBlock } from '@slack/types';
import {
  encodeReviewPlace,
  REVIEW_ACCEPT_ACTION,
  REVIEW_APPROVE_LIMIT_ACTION,
  REVIEW_CLASSIFY_ACTION,
  REVIEW_CORRECT_ACTION,
} from '../../slack/views/admin/review/place.ts';
import {
  describeClassification,
  describeDifference,
  describePerson,
  describeReason,
  formatCount,
} from '../../slack/views/admin/review/words.ts';
import { buildPlainText, buildSection } from '../../slack/views/content.ts';
import { toMrkdwnLine, toMrkdwnName } from '../../slack/views/shown-text.ts';
import { isCorrectable } from './correction.ts';
import type { AgentFinding, Difference, EnvironmentFinding, Finding } from './finding.ts';

/** Where the finding stands, and the agents that stand under an environment's. */
export type FindingPlace = { report: string; page: number; coveredAgents?: number };

const MAX_NAME_LENGTH = 80;

/** Of the 3,000 characters of a section, once they are escaped. */
const MAX_DIFFERENCES_LENGTH = 1_400;

const MAX_OWNERS = 3;

/** At most two blocks. */
export function buildFinding(finding: Finding, place: FindingPlace): KnownBlock[] {
  const lines = [
    describeTitle(finding),
    ...describeMore(finding, place.coveredAgents ?? 0),
    ...describeDifferences(finding),
    describeOwners(finding),
  ];
  const { buttons, isTooLong } = buildButtons(finding, place);
  const note = isTooLong ? ['_Its id is too long for a button: nothing can be done about it from here._'] : [];
  const section = buildSection([...lines, ...note].join('\n'));
  return buttons.length === 0 ? [section] : [section, { type: 'actions', elements: buttons } satisfies ActionsBlock];
}

function describeTitle(finding: Finding): string {
  const name = `*${toMrkdwnName(finding.name, MAX_NAME_LENGTH) || toMrkdwnLine(finding.environmentId, MAX_NAME_LENGTH)}*`;
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
    case 'approved_exception':
      return 'itself in order';
    case 'drift':
      return ':warning: *drift*';
    case 'unclassified':
      return kind === 'environment' ? ':new: *not in the register*' : ':new: *no limit approved for it*';
    case 'vanished':
      return ':ghost: *gone*: the register names it, and the service does not list it any more';
    case 'unreadable':
      return `:grey_question: *cannot be told*: ${describeReason(reason ?? 'unexpected')}`;
  }
}

function describeDifferences({ status, differences }: Finding): string[] {
  if (differences.length === 0) return [];
  const isNew = status === 'unclassified';
  const lines = isNew ? ['Held against what the register has for environments that it does not name:'] : [];
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

function describeMore(finding: Finding, coveredAgents: number): string[] {
  return finding.kind === 'environment' ? describeEnvironment(finding, coveredAgents) : describeAgent(finding);
}

function describeEnvironment({ status, reason, tenantPool }: EnvironmentFinding, coveredAgents: number): string[] {
  const agents = coveredAgents === 0 ? [] : [describeCovered(coveredAgents)];
  switch (status) {
    case 'unclassified': {
      const unread = reason === undefined ? [] : [`Its credits cannot be told: ${describeReason(reason)}`];
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

function describePool(tenantPool: EnvironmentFinding['tenantPool']): string[] {
  if (tenantPool === 'on') return [':rotating_light: It draws on the tenant pool.'];
  if (tenantPool === 'platform-default') {
    return [':rotating_light: No rule of its own about the tenant pool: platforms let it draw by default.'];
  }
  return tenantPool === 'off' ? ['It does not draw on the tenant pool.'] : [];
}

function describeAgent({ status, limitSource, differences }: AgentFinding): string[] {
  if (status === 'vanished') return ['Take it out of the register if it was deleted.'];
  const isOld = limitSource === 'last_set' && differences.length > 0;
  return isOld ? ['_Found is what was last set from here; somebody may have changed it elsewhere since._'] : [];
}

function describeOwners({ owners, ownerId }: Finding): string {
  if (owners.length > 0) {
    const shown = owners.slice(0, MAX_OWNERS).map(describePerson).join(', ');
    return `Owner: ${shown}${owners.length > MAX_OWNERS ? ` and ${owners.length - MAX_OWNERS} more` : ''}`;
  }
  return `Owner: ${ownerId === undefined ? 'not told' : `${toMrkdwnLine(ownerId, 60)} _(id in the directory)_`}`;
}

function buildButtons(finding: Finding, { report, page }: FindingPlace): { buttons: Button[]; isTooLong: boolean } {
  const wanted = listActions(finding);
  const value = encodeReviewPlace({ report, page, key: finding.key });
  if (value === undefined) return { buttons: [], isTooLong: wanted.length > 0 };
  const buttons = wanted.map(
    ([actionId, label]): Button => ({ type: 'button', action_id: actionId, text: buildPlainText(label), value }),
  );
  return { buttons, isTooLong: false };
}

function listActions(finding: Finding): [actionId: string, label: string][] {
  const { kind, status, differences } = finding;
  const actions: [string, string][] = [];
  if (isCorrectable(finding)) actions.push([REVIEW_CORRECT_ACTION, 'Correct…']);
  if (status === 'drift' && differences.some(isAcceptable)) actions.push([REVIEW_ACCEPT_ACTION, 'Accept…']);
  if (status === 'unclassified') {
    actions.push(
      kind === 'environment' ? [REVIEW_CLASSIFY_ACTION, 'Classify…'] : [REVIEW_APPROVE_LIMIT_ACTION, 'Approve limit…'],
    );
  }
  return actions;
}

function isAcceptable({ found, exception }: Difference): boolean {
  return found !== 'unknown' && (exception === undefined || exception.isExpired);
}
