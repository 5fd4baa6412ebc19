// `/assistant-admin rules`: what counts where, with *Edit…*, for the admin who asked.
import type { ActionsBlock, SectionBlock } from '@slack/types';
import {
  RULE_NAMES,
  type RuleName,
  type Rules,
  toEffective,
  type WorkspaceRules,
} from '../../conversation/channel-rules.ts';
import { buildButton, buildSection, type Content, fitBlocks } from '../../slack/views/content.ts';
import { buildSheet, type Column, type Sheet } from '../exports/sheet.ts';
import { type SheetServices, sendSheet } from '../exports/slack-export.ts';
import type { Policy } from '../policy/policy.ts';
import { EVERY_CHANNEL } from '../policy/target.ts';
import { type Asking, buildCommandButton } from '../shell/admin-shell.ts';
import { buildNotes } from '../shell/blocks.ts';
import type { TimeZones } from '../shell/respond.ts';
import { describeChannelSettings } from './channel-settings-views.ts';
import { describePause } from './pause-form.ts';
import { describeEffective, nameChannel } from './rule-words.ts';
import { EDIT_RULES_ACTION, type RulesOpenPorts, toChannelTarget, toRulesValue } from './rules-form.ts';

/** More would not fit into one message. */
const MAX_CHANNELS = 20;

/** `here`: the channel that the command was given in, if it was one. */
export async function sayRules(
  here: string | undefined,
  { caller, say }: Pick<Asking, 'caller' | 'say'>,
  ports: RulesOpenPorts & TimeZones,
): Promise<void> {
  const [stored, policy, timeZone] = await Promise.all([
    ports.ruleStore.get(caller.workspace),
    ports.policy.readChannels(),
    ports.timeZone(caller),
  ]);
  const settings = { policy, team: caller.team, now: ports.now() };
  await say(buildRulesMessage({ stored, configured: ports.configuredRules, settings, here, timeZone }));
}

/** All of them as a file. */
export async function sendRules(
  { caller, say }: Pick<Asking, 'caller' | 'say'>,
  services: RulesOpenPorts & SheetServices & { now(): number },
): Promise<void> {
  const stored = await services.ruleStore.get(caller.workspace);
  await sendSheet(buildRuleSheet(stored, services.configuredRules, services.now()), { caller, say }, services);
}

/** `settings`: what the policy says; `team`, `now`: for whom and when. */
type Options = {
  stored: WorkspaceRules | undefined;
  configured: Rules;
  settings: { policy: Policy; team: string; now: number };
  here: string | undefined;
  timeZone: string;
};

export function buildRulesMessage({ stored, configured, settings, here, timeZone }: Options): Content {
  const own = [...new Set([...Object.keys(stored?.channels ?? {}), ...listChannels(settings)])].sort();
  const channels = here === undefined ? own : [here, ...own.filter((channel) => channel !== here)];
  const shown = [undefined, ...channels.slice(0, MAX_CHANNELS)];
  const more = channels.length - MAX_CHANNELS;
  const blocks = [
    buildSection('*Channel rules* of this workspace: what counts, and what set it'),
    ...(stored?.pause ? [buildSection(describePause(stored.pause, timeZone))] : []),
    ...shown.map((channel) => buildChannel(channel, toEffective(stored, channel, configured), settings)),
    ...buildCsv(),
    buildNotes([
      ...(more > 0 ? [`And ${more} more channels with rules of their own.`] : []),
      'For another channel: `/assistant-admin rules #channel`.',
    ]),
  ];
  return { text: 'Channel rules', blocks: fitBlocks(blocks) };
}

function buildCsv(): ActionsBlock[] {
  const button = buildCommandButton('CSV', 'rules csv', 0);
  return button === undefined ? [] : [{ type: 'actions', elements: [button] }];
}

function listChannels({ policy, team }: Options['settings']): string[] {
  return Object.values(policy.entries).flatMap(({ target }) =>
    'channel' in target && target.team === team && target.channel !== EVERY_CHANNEL ? [target.channel] : [],
  );
}

function buildChannel(
  channel: string | undefined,
  effective: ReturnType<typeof toEffective>,
  { policy, team, now }: Options['settings'],
): SectionBlock {
  const ofPolicy = describeChannelSettings(policy, toChannelTarget(team, channel), now);
  const lines = [`*${nameChannel(channel)}*`, ...describeEffective(effective), ...ofPolicy];
  const accessory = buildButton(EDIT_RULES_ACTION, 'Edit…', toRulesValue({ channel }));
  return { ...buildSection(lines.join('\n')), accessory };
}

type RuleRow = { channel: string | undefined; rule: RuleName; value: string; level: string };

const RULE_COLUMNS: Column<RuleRow>[] = [
  { name: 'channel_id', read: ({ channel }) => channel },
  { name: 'rule', read: ({ rule }) => rule },
  { name: 'value', read: ({ value }) => value },
  { name: 'set_by', read: ({ level }) => level },
];

/** Of all channels first, with no channel; then of each with rules of its own. */
function buildRuleSheet(stored: WorkspaceRules | undefined, configured: Rules, now: number): Sheet {
  const channels = [undefined, ...Object.keys(stored?.channels ?? {}).sort()];
  const rows = channels.flatMap((channel) => {
    const effective = toEffective(stored, channel, configured);
    return RULE_NAMES.map((rule): RuleRow => ({ channel, rule, ...effective[rule] }));
  });
  return buildSheet({ list: 'rules', asOf: now, gaps: [] }, RULE_COLUMNS, rows);
}
