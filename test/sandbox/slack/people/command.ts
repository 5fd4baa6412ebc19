/** Slash commands: https://docs.slack.dev/interactivity/implementing-slash-commands */
import { parseReply, showReply } from '../apply-reply.ts';
import { checkMessage } from '../blocks/check-message.ts';
import { encodeEntities } from '../blocks/markup.ts';
import type { Message } from '../records.ts';
import { type NotTaken, warnUnlessTaken } from '../warnings.ts';
import type { Team } from '../workspace.ts';
import type { World } from '../world.ts';

export type CommandResult = {
  /** What the person sees instead of an answer, in Slack's words. */
  error: NotTaken | undefined;
  status: number | undefined;
  /** How long the app took to acknowledge. */
  ms: number;
  /** The immediate reply, if the acknowledgement carried one. */
  reply: Message | undefined;
};

export type Command = { name: string; text: string; channel: string; threadTs?: string };

export async function giveCommand(world: World, userId: string, command: Command): Promise<CommandResult> {
  const { workspace } = world;
  const channel = workspace.channel(command.channel);
  if (!channel.members.has(userId)) throw new Error(`${userId} is not in ${command.channel}.`);
  if (command.threadTs !== undefined) throw new Error(`${command.name} is not supported in threads. Sorry!`);
  const registered = world.registration.commands;
  const install = world.install();
  if (!install || (registered && !registered.has(command.name)))
    throw new Error(`${command.name} is not a valid command.`);
  const triggerId = world.triggers.create(userId);
  const target = { userId, channel: channel.id, isCommand: true };
  const payload = {
    token: 'sandbox-verification-token',
    team_id: workspace.team.id,
    team_domain: workspace.team.domain,
    ...toEnterpriseFields(workspace.team),
    channel_id: channel.id,
    channel_name: channel.kind === 'private' ? 'privategroup' : channel.name,
    user_id: userId,
    user_name: workspace.user(userId).name,
    command: command.name,
    text: escapeTyped(world, command.text),
    api_app_id: workspace.app.appId,
    is_enterprise_install: String(install.isEnterprise),
    response_url: world.responseUrls.create(target),
    trigger_id: triggerId,
  };
  const sent = await world.delivery.send({ kind: 'command', type: command.name, payloadId: triggerId, payload });
  const result = { status: sent.status, ms: sent.ms };
  const error = warnUnlessTaken(world, { userId, what: command.name }, sent);
  if (error) return { ...result, error, reply: undefined };
  return { ...result, error: undefined, reply: show(world, target, sent.body) };
}

function toEnterpriseFields({ enterprise }: Team): Record<string, string> {
  return enterprise ? { enterprise_id: enterprise.id, enterprise_name: enterprise.name } : {};
}

function show(world: World, target: { userId: string; channel: string }, body: string): Message | undefined {
  const reply = parseReply(body);
  if (!reply || (reply.text === undefined && reply.blocks === undefined)) return undefined;
  const refusal = reply.blocks && checkMessage(reply.blocks);
  if (refusal) throw new Error(`Slack shows nothing: ${refusal.error}. ${refusal.messages.join(' ')}`);
  return showReply(world, target, reply);
}

/** With `should_escape` users and channels carry their names, links stand in brackets, the rest is entity-encoded. */
function escapeTyped(world: World, typed: string): string {
  return typed
    .split(/(<(?:@[UW]|#C|!|https?:)[^<>]*>|https?:\/\/[^\s<>]+)/)
    .map((part, index) => (index % 2 === 0 ? encodeEntities(part) : escapeToken(world, part)))
    .join('');
}

function escapeToken(world: World, token: string): string {
  const user = /^<@([UW]\w+)>$/.exec(token)?.[1];
  if (user !== undefined) return `<@${user}|${world.workspace.user(user).name}>`;
  const channel = /^<#(C\w+)>$/.exec(token)?.[1];
  if (channel !== undefined) return `<#${channel}|${world.workspace.channel(channel).name}>`;
  return `<${encodeEntities(token.replace(/^<|>$/g, ''))}>`;
}
