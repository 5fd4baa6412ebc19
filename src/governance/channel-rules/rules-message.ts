// `/assistant-admin channels`: what counts where, with *Edit…*, for the admin who asked.
import type { SectionBlock } from '@slack/types';
import { type Rules, toEffective, type WorkspaceRules } from '../../conversation/channel-rules.ts';
import { buildButton, buildSection, type Content, fitBlocks } from '../../slack/views/content.ts';
import { buildExportButton } from '../exports/slack-export.ts';
import type { Asking } from '../shell/admin-shell.ts';
import { buildNotes } from '../shell/blocks.ts';
import type { TimeZones } from '../shell/respond.ts';
import { describePause } from './pause-form-views.ts';
import { describeEffective, nameChannel } from './rule-words.ts';
import type { RulesOpenPorts } from './rules-form.ts';
import { EDIT_RULES_ACTION, toRulesValue } from './rules-form-views.ts';

/** See buildExportButton. */
export const CHANNELS_EXPORT = 'admin_channels';

/** More would not fit into one message. */
const MAX_CHANNELS = 20;

/** `here`: the channel that the command was given in, if it was one. */
export async function sayRules(
  here: string | undefined,
  { caller, say }: Pick<Asking, 'caller' | 'say'>,
  ports: RulesOpenPorts & TimeZones,
): Promise<void> {
  const [stored, timeZone] = await Promise.all([ports.ruleStore.get(caller.workspace), ports.timeZone(caller)]);
  await say(buildRulesMessage({ stored, configured: ports.configuredRules, here, timeZone }));
}

type Options = { stored: WorkspaceRules | undefined; configured: Rules; here: string | undefined; timeZone: string };

export function buildRulesMessage({ stored, configured, here, timeZone }: Options): Content {
  const own = Object.keys(stored?.channels ?? {}).sort();
  const channels = here === undefined ? own : [here, ...own.filter((channel) => channel !== here)];
  const shown = [undefined, ...channels.slice(0, MAX_CHANNELS)];
  const more = channels.length - MAX_CHANNELS;
  const blocks = [
    buildSection('*Channel rules* of this workspace: what counts, and what set it'),
    ...(stored?.pause ? [buildSection(describePause(stored.pause, timeZone))] : []),
    ...shown.map((channel) => buildChannel(channel, toEffective(stored, channel, configured))),
    { type: 'actions', elements: [buildExportButton(CHANNELS_EXPORT, 'all')] },
    buildNotes([
      ...(more > 0 ? [`And ${more} more channels with rules of their own.`] : []),
      'For another channel: `/assistant-admin channels #channel`.',
    ]),
  ];
  return { text: 'Channel rules', blocks: fitBlocks(blocks) };
}

function buildChannel(channel: string | undefined, effective: ReturnType<typeof toEffective>): SectionBlock {
  const lines = [`*${nameChannel(channel)}*`, ...describeEffective(effective)];
  const accessory = buildButton(EDIT_RULES_ACTION, 'Edit…', toRulesValue({ channel }));
  return { ...buildSection(lines.join('\n')), accessory };
}
