// `/assistant-admin rules`: the rules of all channels, each with *Edit…*.
import type { SectionBlock } from '@slack/types';
import {
  CHANNEL_SETTINGS,
  type ChannelOptions,
  type ChannelSetting,
  readChannelSetting,
} from '../../policy/channel-settings.ts';
import { type Effective, isForeign, type Policy } from '../../policy/policy.ts';
import { type ChannelTarget, EVERY_CHANNEL } from '../../policy/target.ts';
import { buildButton, buildSection, type Content, fitBlocks, toContent } from '../../slack/views/content.ts';
import type { Column, Sheet } from '../exports/sheet.ts';
import { sendSheet } from '../exports/slack-export.ts';
import type { GovernanceServices } from '../services.ts';
import { type Asking, buildCommandButton } from '../shell/admin-shell.ts';
import { buildActions, buildNotes } from '../shell/blocks.ts';
import { describePause, readWorkspacePause } from './pause-form.ts';
import { describeChannel, EDIT_RULES_ACTION, nameChannel, toRulesValue } from './rules-form.ts';

/** More would not fit into one message. */
const MAX_CHANNELS = 20;

/** `here`: the channel that the command was given in, if it was one. */
export async function sayRules(
  here: string | undefined,
  { caller, say }: Pick<Asking, 'caller' | 'say'>,
  services: GovernanceServices,
): Promise<void> {
  const [{ policy }, timeZone] = await Promise.all([services.policy.read(), services.timeZone(caller)]);
  const options = { now: services.now(), configured: services.configuredSettings };
  await say(buildRulesMessage(policy, caller.workspace, { ...options, here, timeZone }));
}

/** Sends all rules as a file. */
export async function sendRules(
  { caller, say }: Pick<Asking, 'caller' | 'say'>,
  services: GovernanceServices,
): Promise<void> {
  const { policy } = await services.policy.read();
  const options = { now: services.now(), configured: services.configuredSettings };
  await sendSheet(buildRuleSheet(policy, caller.workspace, options), { caller, say }, services);
}

export function buildRulesMessage(
  policy: Policy,
  workspace: string,
  { here, timeZone, ...options }: ChannelOptions & { here: string | undefined; timeZone: string },
): Content {
  const own = listChannels(policy, workspace);
  const channels = here === undefined ? own : [here, ...own.filter((channel) => channel !== here)];
  const shown = [EVERY_CHANNEL, ...channels.slice(0, MAX_CHANNELS)];
  const more = channels.length - MAX_CHANNELS;
  const pause = readWorkspacePause(policy, workspace, options.now);
  const blocks = [
    buildSection('*Channel rules* of this workspace: what counts, and what set it'),
    ...(pause ? [buildSection(describePause(pause, timeZone))] : []),
    ...shown.map((channel) => buildChannel(policy, { workspace, channel }, options)),
    ...buildActions([buildCommandButton('CSV', 'rules csv', 0)]),
    buildNotes([
      ...(more > 0 ? [`And ${more} more channels with rules of their own.`] : []),
      'For another channel: `/assistant-admin rules #channel`.',
    ]),
  ];
  return toContent(fitBlocks(blocks));
}

/** The channels with entries of their own. */
function listChannels({ entries }: Policy, workspace: string): string[] {
  const channels = Object.values(entries).flatMap(({ target }) =>
    'channel' in target && !isForeign(target, workspace) && target.channel !== EVERY_CHANNEL ? [target.channel] : [],
  );
  return [...new Set(channels)].sort();
}

function buildChannel(policy: Policy, target: ChannelTarget, options: ChannelOptions): SectionBlock {
  const lines = [`*${nameChannel(target)}*`, ...describeChannel(policy, target, options)];
  const accessory = buildButton(EDIT_RULES_ACTION, 'Edit…', toRulesValue(target));
  return { ...buildSection(lines.join('\n')), accessory };
}

type RuleRow = { channel: string; rule: ChannelSetting; effective: Effective<unknown> };

const RULE_COLUMNS: Column<RuleRow>[] = [
  { name: 'channel_id', read: ({ channel }) => (channel === EVERY_CHANNEL ? undefined : channel) },
  { name: 'rule', read: ({ rule }) => rule },
  { name: 'value', read: ({ effective }) => String(effective.value) },
  { name: 'set_by', read: ({ effective }) => effective.level },
  { name: 'until', read: ({ effective }) => effective.until },
];

/** First the rules of all channels, without a channel id; then those of each channel with rules of its own. */
function buildRuleSheet(policy: Policy, workspace: string, options: ChannelOptions): Sheet<RuleRow> {
  const rows = [EVERY_CHANNEL, ...listChannels(policy, workspace)].flatMap((channel) =>
    CHANNEL_SETTINGS.map((rule): RuleRow => {
      const effective = readChannelSetting(policy, rule, { workspace, channel }, options);
      return { channel, rule, effective };
    }),
  );
  return { list: 'rules', asOf: options.now, gaps: [], columns: RULE_COLUMNS, rows };
}
