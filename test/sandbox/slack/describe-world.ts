/** The whole sandbox in words, for the message of a test that waited in vain. */
import type { Message } from './records.ts';
import { type Names, renderMessage, renderView } from './render-message.ts';
import type { Workspace } from './workspace.ts';
import type { World } from './world.ts';

const LATEST_CALLS = 15;
const LATEST_MESSAGES = 40;

export function describeWorld(world: World): string {
  const names = createNames(world.workspace);
  const sections = [...world.workspace.channels.values()].map((channel) => describeChannel(world, channel.id, names));
  const views = [...world.workspace.users.keys()].flatMap((id) =>
    world.views.stackOf(id).map((view) => `${names(id)} has a modal open:\n${indent(renderView(view, names))}`),
  );
  return [...sections, ...views, describeTraffic(world)].filter((text) => text !== '').join('\n');
}

export function createNames(workspace: Workspace): Names {
  return (id) => workspace.users.get(id)?.name ?? workspace.channels.get(id)?.name;
}

function describeChannel(world: World, id: string, names: Names): string {
  const { messages } = world.workspace;
  const top = messages.inChannel(id).slice(-LATEST_MESSAGES);
  const ephemerals = messages.ephemerals(id).slice(-LATEST_MESSAGES);
  if (top.length === 0 && ephemerals.length === 0) return '';
  const lines = top.flatMap((root) => {
    const status = world.workspace.status(id, root.ts);
    const replies = messages
      .inThread(id, root.ts)
      .slice(1)
      .map((reply) => indent(describeMessage(reply, names)));
    return [describeMessage(root, names), ...replies, ...(status ? [indent(`(status: ${status})`)] : [])];
  });
  return [
    `#${names(id) ?? id} (${id})`,
    ...[...lines, ...ephemerals.map((one) => describeMessage(one, names))].map(indent),
  ].join('\n');
}

function describeMessage(message: Message, names: Names): string {
  const only =
    message.ephemeralFor === undefined
      ? ''
      : ` (only ${names(message.ephemeralFor) ?? message.ephemeralFor}${message.hidden ? ', shown to nobody' : ''})`;
  return `${names(message.user) ?? message.user}${only}: ${renderMessage(message, names)}`;
}

function describeTraffic(world: World): string {
  const lines = world.ledger
    .all()
    .slice(-LATEST_CALLS)
    .map((record) => {
      if (record.kind === 'call')
        return `call ${record.method} → ${record.status ?? 'no answer'} ${String(record.response?.error ?? '')}`;
      return `delivery ${record.delivery} ${record.type} (try ${record.attempt}) → ${record.status ?? record.error ?? 'no answer yet'}`;
    });
  return lines.length === 0 ? 'Nothing crossed the wire.' : ['Last on the wire:', ...lines.map(indent)].join('\n');
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}
