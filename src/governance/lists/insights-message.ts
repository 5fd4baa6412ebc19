// `/assistant-admin insights [days]`: how the assistant is used in the admin's workspace.
import type { ActionsBlock } from '@slack/types';
import { buildSection, type Content } from '../../slack/views/content.ts';
import { FEWEST_PEOPLE, type Hidden, type Insights, type OutcomeKind, toInsights } from '../../usage/insights.ts';
import { SECONDS, toDay, type Usage } from '../../usage/usage.ts';
import { buildSheet, type Column, type Sheet } from '../exports/sheet.ts';
import { sendSheet } from '../exports/slack-export.ts';
import type { GovernanceServices } from '../services.ts';
import { type Asking, buildCommandButton, type CommandWork } from '../shell/admin-shell.ts';
import { buildNotes } from '../shell/blocks.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import { formatCredits as formatNumber } from '../shell/whole-number.ts';

type InsightServices = Pick<GovernanceServices, 'usage' | 'now' | 'sendFile' | 'log'>;

const DEFAULT_DAYS = 30;

/** Of any number of days, 8 minus 7 would be the exact counts of one day, and of the few people who asked on it. */
const WINDOWS = [7, 30, 90];

const INSIGHTS_USAGE = 'Insights look back 7, 30 or 90 days, as in `/assistant-admin insights 7`.';

/** `typed`: the number of days, and perhaps `csv`. */
export function insightsCommand(typed: string, services: InsightServices): CommandWork {
  return { run: (asking) => sayInsights(typed, asking, services), isForAll: true };
}

async function sayInsights(
  typed: string,
  { caller, say }: Pick<Asking, 'caller' | 'say'>,
  services: InsightServices,
): Promise<void> {
  const days = parseDays(typed.replace(FILE, '').trim());
  if (days === undefined) return void (await say(buildAdminText(INSIGHTS_USAGE)));
  const usage = await services.usage.read(caller.workspace, toDay(services.now()) - days + 1);
  if (!FILE.test(typed)) return void (await say(buildInsightsMessage(usage, days)));
  await sendSheet(buildInsightSheet(usage, services.now()), { caller, say }, services);
}

const FILE = /(?:^|\s)csv$/i;

function parseDays(typed: string): number | undefined {
  if (typed === '') return DEFAULT_DAYS;
  const days = Number(/^(\d{1,3})(?: days?)?$/i.exec(typed)?.[1]);
  return WINDOWS.includes(days) ? days : undefined;
}

export function buildInsightsMessage(usage: Usage, days: number): Content {
  const title = `*Insights* of this workspace: the last ${days} days (UTC)`;
  const insights = toInsights(usage);
  const lines = insights ? describe(insights) : [FEW_ASKERS];
  return {
    text: 'Insights',
    blocks: [
      buildSection([title, ...lines].join('\n')),
      ...(insights ? buildExport(days) : []),
      buildNotes([...describeBegin(usage), HIDDEN]),
    ],
  };
}

function buildExport(days: number): ActionsBlock[] {
  const button = buildCommandButton('CSV', `insights ${days} csv`, 0);
  return button === undefined ? [] : [{ type: 'actions', elements: [button] }];
}

const FEW_ASKERS = 'Fewer than five people have asked anything in this time, so no figures are shown.';

const HIDDEN = `Nothing of what was asked or answered is kept for this. Figures about fewer than ${FEWEST_PEOPLE} people are hidden, and what would tell them.`;

const FEW = '_hidden: of fewer than five people, or would tell such a figure_';

function describeBegin({ firstDay }: Usage): string[] {
  if (firstDay === undefined) return [];
  return [`The first day counted is ${new Date(firstDay * 86_400_000).toISOString().slice(0, 10)}.`];
}

function describe(insights: Insights): string[] {
  const { askers, questions, seconds, inChannels, webOff, signIn, feedback } = insights;
  return [
    `*Askers*: ${formatNumber(askers)}`,
    `*Questions*: ${formatNumber(questions)}`,
    ...describeOutcomes(insights),
    `*Time to answer*: ${seconds === 'few' ? FEW : `half ${toWithin(seconds.half)}, 95 % ${toWithin(seconds.most)}`}`,
    `*Asked in channels*: ${inChannels === 'few' ? FEW : `${toPercent(inChannels)}, in direct messages ${toPercent(1 - inChannels)}`}`,
    `*Web search turned off by the asker*: ${toShare(webOff)}`,
    `*Sign-in, in people*: prompted ${toCount(signIn.prompted)} → started ${toCount(signIn.started)} → finished ${toCount(signIn.finished)}`,
    `*Feedback*: good ${toCount(feedback.good)}, bad ${toCount(feedback.bad)}`,
  ];
}

const OUTCOMES: Record<OutcomeKind, string> = {
  answered: 'answered',
  stopped: 'stopped by the asker',
  refused: 'turned away by a rule or a pause, or not allowed to ask',
  failed: 'failed',
};

function describeOutcomes({ outcomes, failures }: Insights): string[] {
  const kinds = (Object.keys(OUTCOMES) as OutcomeKind[]).filter((kind) => outcomes[kind] !== 0);
  const failed = failures.kinds.map(([code, count]) => `${describeFailure(code)}: ${formatNumber(count)}`);
  const hidden = failures.hidden ? ['kinds of fewer than five people are left out'] : [];
  return [
    ...kinds.map((kind) => `• ${OUTCOMES[kind]}: ${toShare(outcomes[kind])}`),
    ...(failed.length === 0 ? [] : [`*Why they failed*: ${[...failed, ...hidden].join('; ')}`]),
  ];
}

const FAILURES: Record<string, string> = {
  outcome_unknown: 'no answer in time',
  unavailable: 'service not reached for ten minutes',
  forbidden: 'account refused by the service',
  consent_missing: 'consent missing',
  licence_missing: 'licence missing',
  credits_used_up: 'credits used up at the service',
  policy_blocks: 'blocked by a policy of the service',
  rejected: 'refused by the service',
  empty: 'an empty answer',
  disengaged: 'conversation ended by the service',
  too_long: 'question too long',
  busy: 'service busy with the thread',
  interrupted: 'interrupted by a restart',
  sign_in_expired: 'no sign-in within a day',
  too_late: 'delivered or due hours ago',
  account_unusable: 'wrong account',
  failed: 'a fault of the app',
};

function describeFailure(code: string): string {
  return FAILURES[code] ?? code.replaceAll('_', ' ');
}

function toWithin(seconds: number | 'more'): string {
  return seconds === 'more' ? `after more than ${SECONDS.at(-1)} s` : `within ${seconds} s`;
}

function toCount(count: number | Hidden): string {
  return count === 'few' ? FEW : formatNumber(count);
}

function toShare(share: number | Hidden): string {
  return share === 'few' ? FEW : toPercent(share);
}

function toPercent(share: number): string {
  const percent = Math.round(share * 100);
  return percent === 0 && share > 0 ? 'under 1 %' : `${percent} %`;
}

type Figure = { metric: string; value: number | Hidden | 'more' };

/** Without figures where fewer than five people asked. */
function buildInsightSheet(usage: Usage, now: number): Sheet {
  const columns: Column<Figure>[] = [
    { name: 'metric', read: ({ metric }) => metric },
    { name: 'value', read: ({ value }) => (typeof value === 'number' ? value : null) },
    { name: 'note', read: ({ value }) => (typeof value === 'number' ? null : NOTES[value]) },
  ];
  return buildSheet({ list: 'insights', asOf: now, gaps: [] }, columns, listFigures(usage));
}

const NOTES = { few: 'hidden', more: 'more_than_told_apart' } as const;

function listFigures(usage: Usage): Figure[] {
  const insights = toInsights(usage);
  if (insights === undefined) return [];
  const { askers, questions, outcomes, failures, seconds, inChannels, webOff, signIn, feedback } = insights;
  const toFigures = (prefix: string, values: object) =>
    Object.entries(values).map(([name, value]): Figure => ({ metric: `${prefix}_${name}`, value }));
  return [
    { metric: 'askers', value: askers },
    { metric: 'questions', value: questions },
    ...toFigures('share', outcomes),
    ...failures.kinds.map(([code, value]) => ({ metric: `failures_${code}`, value })),
    ...(failures.hidden ? [{ metric: 'failures_other', value: 'few' as const }] : []),
    ...toFigures('seconds', seconds === 'few' ? { half: 'few', most: 'few' } : seconds),
    { metric: 'share_in_channels', value: inChannels },
    { metric: 'share_web_off', value: webOff },
    ...toFigures('sign_in', signIn),
    ...toFigures('feedback', feedback),
  ];
}
