// What administrators and auditors find on their home tab: the state of the last review, and the commands as buttons.
import type { AnyBlock } from '@slack/types';
import { buildPlainText, buildSection, formatTime } from '../../slack/views/content.ts';
import { readScheduleState } from '../schedule/schedule-state.ts';
import type { ScheduledServices } from '../schedule/slack-delivery.ts';
import type { GovernanceServices } from '../services.ts';
import { type Role, readRole } from '../shell/access.ts';
import type { Caller } from '../shell/admin-rules.ts';
import { buildCommandButton } from '../shell/admin-shell.ts';
import { buildActions, buildNotes } from '../shell/blocks.ts';
import { formatCredits } from '../shell/numbers.ts';

type Buttons = readonly (readonly [label: string, command: string])[];

const READING: Buttons = [
  ['Review', 'review'],
  ['Agents', 'agents'],
  ['Environments', 'environments'],
  ['Policy', 'policy'],
  ['Log', 'log'],
];

const THIS_APP: Buttons = [
  ['Rules of channels', 'rules'],
  ['Pause…', 'pause'],
  ['Insights', 'insights'],
  ['Doctor', 'doctor'],
];

/** Empty for anybody else. Rejects if Slack or the store cannot be asked. */
export async function buildAdminHome(
  caller: Caller,
  services: Pick<GovernanceServices, 'rules' | 'auditors' | 'lookups' | 'hasInterface'>,
  scheduled: StateServices,
): Promise<AnyBlock[]> {
  const role = await readRole(caller, services);
  if (role === undefined) return [];
  const review = services.hasInterface ? await buildReviewState(scheduled) : [];
  return buildHomeOf(role, review, services);
}

const HEADING: AnyBlock = { type: 'header', text: buildPlainText('Administration') };

function buildHomeOf(
  role: Role,
  review: readonly AnyBlock[],
  { hasInterface }: Pick<GovernanceServices, 'hasInterface'>,
): AnyBlock[] {
  const reading = READING.filter(([, command]) => hasInterface || command === 'log');
  const own = role === 'admin' ? buildRow(THIS_APP, READING.length) : [];
  return [HEADING, ...review, ...buildRow(reading, 0), ...own];
}

function buildRow(buttons: Buttons, first: number): AnyBlock[] {
  return buildActions(buttons.map(([label, command], nth) => buildCommandButton(label, command, first + nth)));
}

type StateServices = Pick<ScheduledServices, 'once' | 'now'> & {
  /** Undefined: no scheduled review is configured. */
  schedule: Pick<ScheduledServices['schedule'], 'findNext'> | undefined;
  channelTimeZone: string;
};

/** The last scheduled review and the next one, in words. Throws StoreUnavailableError. */
export async function buildReviewState(services: StateServices): Promise<AnyBlock[]> {
  const { schedule, channelTimeZone: timeZone, now } = services;
  const last = (await readScheduleState(services))?.snapshot;
  const next = schedule?.findNext(now());
  const found =
    last &&
    `${formatCredits(last.differing)} differed from policy ${last.policy}, ${formatCredits(last.unknown)} unknown.`;
  const lines = [
    ...(last ? [`Last scheduled review: ${formatTime(last.at, timeZone)}. ${found}`] : []),
    next === undefined ? 'No review is scheduled.' : `The next one is on ${formatTime(next, timeZone)}.`,
  ];
  return [
    buildSection(lines.join('\n')),
    buildNotes(['`/assistant-admin review` reviews now, `/assistant-admin help` says what else you can do.']),
  ];
}
