// `/assistant-admin insights [days]`: how the assistant is used in the admin's workspace. The message and the file have the
// same figures.
import { buildSection, type Content, toContent } from '../../slack/views/content.ts';
import { FEWEST_PEOPLE, type Hidden, type Insights, toInsights } from '../../usage/insights.ts';
import { SECONDS, toDay, type Usage } from '../../usage/usage.ts';
import type { Column, Sheet } from '../exports/sheet.ts';
import { sendSheet } from '../exports/slack-export.ts';
import type { GovernanceServices } from '../services.ts';
import { type Asking, buildCommandButton, type CommandWork } from '../shell/admin-shell.ts';
import { buildActions, buildNotes } from '../shell/blocks.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import { formatCredits } from '../shell/numbers.ts';

const DEFAULT_DAYS = 30;

/** With any number of days, 8 days minus 7 days would show the counts of one day, and of the few people who asked then. */
const WINDOWS = [7, 30, 90];

const INSIGHTS_USAGE = 'Insights look back 7, 30 or 90 days, as in `/assistant-admin insights 7`.';

/** `typed`: the number of days, and perhaps `csv`. */
export function insightsCommand(typed: string, services: GovernanceServices): CommandWork {
  return { run: (asking) => sayInsights(typed, asking, services), check: { isForAll: true } };
}

async function sayInsights(
  typed: string,
  { caller, say }: Pick<Asking, 'caller' | 'say'>,
  services: GovernanceServices,
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

/** `more`: longer than the longest time that is counted separately. */
type Value = number | Hidden | 'more';

/** `metric`: in the file, stable. `label`: in the message, if it is not the only figure of its line. */
type Figure = { metric: string; label?: string; value: Value; show?(value: number | 'more'): string };

/** A line of the message: its title and its figures. */
type Line = [title: string, figures: Figure[]];

function listLines({ askers, questions, ...insights }: Insights): Line[] {
  const { outcomes, failures, seconds, inChannels, webOff, signIn, feedback } = insights;
  const { half, most } = seconds === 'few' ? { half: seconds, most: seconds } : seconds;
  const toFigures = (prefix: string, values: Record<string, Value>, show?: Figure['show']) =>
    Object.entries(values).map(
      ([name, value]): Figure => ({
        ...{ metric: `${prefix}_${name}`, label: OUTCOMES[name] ?? name, value, ...(show && { show }) },
      }),
    );
  const failed = failures.kinds.map(
    ([code, value]): Figure => ({ metric: `failures_${code}`, label: FAILURES[code] ?? splitWords(code), value }),
  );
  const others: Figure = { metric: 'failures_other', label: 'other kinds', value: 'few' };
  return [
    ['Askers', [{ metric: 'askers', value: askers }]],
    ['Questions', [{ metric: 'questions', value: questions }]],
    ['How they ended', toFigures('share', outcomes, toPercent)],
    ['Why they failed', [...failed, ...(failures.hidden ? [others] : [])]],
    [
      'Time to answer',
      [
        { metric: 'seconds_half', label: 'half', value: half, show: toWithin },
        { metric: 'seconds_most', label: '95 %', value: most, show: toWithin },
      ],
    ],
    [
      'Asked in channels, not in direct messages',
      [{ metric: 'share_in_channels', value: inChannels, show: toPercent }],
    ],
    ['Web search turned off by the asker', [{ metric: 'share_web_off', value: webOff, show: toPercent }]],
    ['Sign-in, in people', toFigures('sign_in', signIn)],
    ['Feedback', toFigures('feedback', feedback)],
  ];
}

const OUTCOMES: Record<string, string> = {
  stopped: 'stopped by the asker',
  refused: 'turned away by a rule or a pause, or not allowed to ask',
};

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
  too_late: 'delivered or due too long ago',
  account_unusable: 'wrong account',
  failed: 'a fault of the app',
};

function splitWords(code: string): string {
  return code.replaceAll('_', ' ');
}

function toCount(count: number | 'more'): string {
  return formatCredits(Number(count));
}

function toWithin(seconds: number | 'more'): string {
  return seconds === 'more' ? `after more than ${SECONDS.at(-1)} s` : `within ${seconds} s`;
}

function toPercent(share: number | 'more'): string {
  const percent = Math.round(Number(share) * 100);
  return percent === 0 && Number(share) > 0 ? 'under 1 %' : `${percent} %`;
}

export function buildInsightsMessage(usage: Usage, days: number): Content {
  const title = `*Insights* of this workspace: the last ${days} days (UTC)`;
  const insights = toInsights(usage);
  const lines = insights ? listLines(insights).flatMap(describeLine) : [FEW_ASKERS];
  const button = insights && buildCommandButton('CSV', `insights ${days} csv`, 0);
  const notes = buildNotes([...describeBegin(usage), HIDDEN]);
  return toContent([buildSection([title, ...lines].join('\n')), ...buildActions([button]), notes]);
}

const FEW_ASKERS = 'Fewer than five people have asked anything in this time, so no figures are shown.';

const HIDDEN = `Questions and answers are not kept for this. Figures about fewer than ${FEWEST_PEOPLE} people are hidden, and so are figures that would reveal them.`;

function describeBegin({ firstDay }: Usage): string[] {
  if (firstDay === undefined) return [];
  return [`The first day counted is ${new Date(firstDay * 86_400_000).toISOString().slice(0, 10)}.`];
}

/** Empty if there is nothing to show. */
function describeLine([title, figures]: Line): string[] {
  const shown = figures.length === 1 ? figures : figures.filter(({ value }) => value !== 0);
  if (shown.length === 0) return [];
  const words = shown.map(({ label = '', value, show = toCount }) =>
    `${label} ${value === 'few' ? '_hidden_' : show(value)}`.trim(),
  );
  return [`*${title}*: ${words.join(', ')}`];
}

/** Without figures if fewer than five people asked. */
function buildInsightSheet(usage: Usage, now: number): Sheet<Figure> {
  const columns: Column<Figure>[] = [
    { name: 'metric', read: ({ metric }) => metric },
    { name: 'value', read: ({ value }) => (typeof value === 'number' ? value : null) },
    { name: 'note', read: ({ value }) => (typeof value === 'number' ? null : NOTES[value]) },
  ];
  const insights = toInsights(usage);
  const rows = insights ? listLines(insights).flatMap(([, all]) => all) : [];
  return { list: 'insights', asOf: now, gaps: [], columns, rows };
}

const NOTES = { few: 'hidden', more: 'more_than_told_apart' } as const;
