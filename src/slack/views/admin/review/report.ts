import type { ActionsBlock, Button, KnownBlock } from '@slack/types';
import { isCorrectable } from '../../../../governance/review/correction.ts';
import { buildFinding } from '../../../../governance/review/finding-views.ts';
import type { ReportHead } from '../../../../governance/review/report.ts';
import type { ReportPage } from '../../../../governance/review/report-pages.ts';
import { buildSummary, describeOutcome } from '../../../../governance/review/report-views.ts';
import { listFindings } from '../../../../governance/review/review.ts';
import { buildPlainText, buildSection, type Content } from '../../content.ts';
import { fitBlocks } from '../../fit-blocks.ts';
import { encodeReviewPlace, REVIEW_CORRECT_PAGE_ACTION } from './place.ts';

/** The value of each is a place without a key. */
export const REVIEW_PREVIOUS_ACTION = 'admin_review_previous';
export const REVIEW_NEXT_ACTION = 'admin_review_next';

/** `shown`: the page and its number from 0; undefined where nothing is listed. */
export type ShownReport = { head: ReportHead; shown: { page: ReportPage; number: number } | undefined };

/** The summary, and what is not in order of one page. At most 40 blocks. */
export function buildReport({ head, shown }: ShownReport, { timeZone }: { timeZone: string }): Content {
  return {
    text: describeOutcome(head),
    blocks: fitBlocks([...buildSummary(head, timeZone), ...(shown === undefined ? [] : buildPage(head, shown))]),
  };
}

function buildPage(head: ReportHead, { page, number }: NonNullable<ShownReport['shown']>): KnownBlock[] {
  const place = { report: head.id, page: number };
  const blocks: KnownBlock[] = [];
  for (const { environment, agents, coveredAgents } of page.environments) {
    blocks.push({ type: 'divider' }, ...buildFinding(environment, { ...place, coveredAgents }));
    blocks.push(...agents.flatMap((agent) => buildFinding(agent, place)));
  }
  if (page.strayAgents.length > 0) {
    blocks.push({ type: 'divider' }, buildSection('*Agents without an environment*: no limit can be set for them.'));
    blocks.push(...page.strayAgents.flatMap((agent) => buildFinding(agent, place)));
  }
  return [...blocks, { type: 'divider' }, ...buildFoot(head, { page, number })];
}

function buildFoot({ id, pageCount }: ReportHead, { page, number }: NonNullable<ShownReport['shown']>): KnownBlock[] {
  const buttons: Button[] = [];
  const correctable = [...listFindings(page)].filter(isCorrectable).length;
  const add = (actionId: string, label: string, target: number) => {
    const value = encodeReviewPlace({ report: id, page: target, key: '' });
    if (value !== undefined) buttons.push({ type: 'button', action_id: actionId, text: buildPlainText(label), value });
  };
  if (number > 0) add(REVIEW_PREVIOUS_ACTION, 'Previous', number - 1);
  if (number < pageCount - 1) add(REVIEW_NEXT_ACTION, 'Next', number + 1);
  // One alone has its own button.
  if (correctable > 1) add(REVIEW_CORRECT_PAGE_ACTION, 'Correct all on this page…', number);
  const where = pageCount === 1 ? '' : `Page ${number + 1} of ${pageCount.toLocaleString('en-US')} · `;
  const note = `${where}Kept for a day. Nothing is changed before you have seen and confirmed it.`;
  const actions: ActionsBlock[] = buttons.length === 0 ? [] : [{ type: 'actions', elements: buttons }];
  return [...actions, { type: 'context', elements: [{ type: 'mrkdwn', text: note, verbatim: true }] }];
}
