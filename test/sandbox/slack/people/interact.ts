/** Clicks and shortcuts: https://docs.slack.dev/interactivity/handling-user-interaction */
import { elementsIn, type Placed } from '../blocks/elements.ts';
import type { DeliveryResult } from '../delivery.ts';
import { wordsOf } from '../json.ts';
import type { Block, Json, Message, View } from '../records.ts';
import { toSlackMessage } from '../slack-message.ts';
import { type Entry, enteredValue, fieldOf, initialValue } from '../view-values.ts';
import { toSlackView } from '../views.ts';
import { type NotTaken, warnUnlessTaken } from '../warnings.ts';
import type { World } from '../world.ts';
import type { MessageRef } from './speak.ts';

export type ClickResult = {
  /** The app acknowledged with 200 within 3 s; otherwise the person sees a warning sign. */
  ok: boolean;
  status: number | undefined;
  error: NotTaken | undefined;
  ms: number;
  /** Where the button leads, if it is a link. */
  url: string | undefined;
};

/**
 * What to click: an action id, alone or as `block id/action id`, or the words on it. `choose`: what to pick in a menu, or
 * the value of one of two feedback buttons, which have one action id.
 */
export type Target = { what: string; choose?: Entry };

export async function click(world: World, userId: string, ref: MessageRef, target: Target): Promise<ClickResult> {
  const message = visibleMessage(world, userId, ref);
  const found = findElement(message.blocks, target, 'this message');
  const inThread = threadOf(world, message);
  const payload = {
    ...interaction(world, userId, 'block_actions'),
    container: {
      type: 'message',
      message_ts: message.ts,
      channel_id: message.channel,
      is_ephemeral: message.ephemeralFor !== undefined,
      ...inThread,
    },
    channel: { id: message.channel, name: world.workspace.channel(message.channel).name },
    // Of an ephemeral message only the container is named.
    ...(message.ephemeralFor === undefined && {
      message: { ...toSlackMessage(message, { withMetadata: true }), ...inThread },
    }),
    state: { values: {} },
    response_url: world.responseUrls.create({ userId, channel: message.channel, messageTs: message.ts }),
    actions: [toAction(found, target.choose, world)],
  };
  return sendInteraction(world, payload, { userId, what: target.what, element: found.element });
}

export async function clickInView(world: World, userId: string, view: View, target: Target): Promise<ClickResult> {
  const current = world.views.byId(view.id);
  if (!current) throw new Error('This view is no longer open.');
  const found = findElement(current.blocks, target, 'this view');
  const offered = current.offered[`${String(found.block.block_id)}/${String(found.element.action_id)}`];
  const action = toAction({ ...found, element: { ...found.element, ...offered } }, target.choose, world);
  if (found.element.type !== 'button') {
    const { action_id, block_id, action_ts: _ts, ...value } = action;
    current.entered[String(block_id)] = { ...current.entered[String(block_id)], [String(action_id)]: value };
  }
  const payload = {
    ...interaction(world, userId, 'block_actions'),
    container: { type: 'view', view_id: current.id },
    view: toSlackView(current, world),
    actions: [action],
  };
  return sendInteraction(world, payload, { userId, what: target.what, element: found.element });
}

export async function shortcut(
  world: World,
  userId: string,
  ref: MessageRef,
  callbackId: string,
): Promise<ClickResult> {
  const message = visibleMessage(world, userId, ref);
  const registered = world.registration.shortcuts;
  if (registered && !registered.has(callbackId)) throw new Error(`The app has no shortcut ${callbackId}.`);
  if (message.ephemeralFor !== undefined)
    throw new Error('Shortcuts are not offered on messages that only one person sees.');
  const payload = {
    ...interaction(world, userId, 'message_action'),
    callback_id: callbackId,
    channel: { id: message.channel, name: world.workspace.channel(message.channel).name },
    message_ts: message.ts,
    message: toSlackMessage(message),
    response_url: world.responseUrls.create({ userId, channel: message.channel }),
    action_ts: world.workspace.identifiers.ts(),
  };
  return sendInteraction(world, payload, { userId, what: callbackId });
}

export type Interaction = Json & { type: string; trigger_id: string };

/** What every interaction carries. */
export function interaction(world: World, userId: string, type: string): Interaction {
  const { workspace } = world;
  const { team } = workspace;
  const user = workspace.user(userId);
  const install = world.install();
  if (!install) throw new Error(`The app is not installed in ${team.id}, so nothing of it can be used.`);
  return {
    type,
    token: 'sandbox-verification-token',
    api_app_id: workspace.app.appId,
    // Where the app is installed for the whole organisation no team is named.
    team: install.isEnterprise ? null : { id: team.id, domain: team.domain },
    enterprise: team.enterprise ?? null,
    is_enterprise_install: install.isEnterprise,
    user: { id: user.id, username: user.name, name: user.name, team_id: user.teamId },
    trigger_id: world.triggers.create(userId),
  };
}

export function deliverInteraction(world: World, payload: Interaction): Promise<DeliveryResult> {
  return world.delivery.send({ kind: 'interaction', type: payload.type, payloadId: payload.trigger_id, payload });
}

async function sendInteraction(
  world: World,
  payload: Interaction,
  { userId, what, element }: { userId: string; what: string; element?: Json },
): Promise<ClickResult> {
  const sent = await deliverInteraction(world, payload);
  const error = warnUnlessTaken(world, { userId, what }, sent);
  return {
    ok: error === undefined,
    status: sent.status,
    error,
    ms: sent.ms,
    url: typeof element?.url === 'string' ? element.url : undefined,
  };
}

/** The root of a thread names itself, once there are replies. */
function threadOf({ workspace }: World, { channel, ts, threadTs }: Message): { thread_ts?: string } {
  if (threadTs !== undefined) return { thread_ts: threadTs };
  return workspace.messages.inThread(channel, ts).length > 1 ? { thread_ts: ts } : {};
}

function visibleMessage(world: World, userId: string, ref: MessageRef): Message {
  const message = world.workspace.messages.findAny(ref.channel, ref.ts);
  const isVisible = message && !message.hidden && (message.ephemeralFor ?? userId) === userId;
  if (!isVisible || !world.workspace.channel(ref.channel).members.has(userId)) {
    throw new Error(`${userId} sees no message ${ref.ts} in ${ref.channel}.`);
  }
  return message;
}

function findElement(blocks: Block[], { what: wanted, choose }: Target, where: string): Placed {
  const all = elementsIn(blocks);
  const named = all.filter(({ block, element }) =>
    [element.action_id, `${block.block_id}/${element.action_id}`].includes(wanted),
  );
  const found =
    named.find(({ element }) => choose !== undefined && element.value === choose) ??
    named[0] ??
    all.find(({ element }) => wordsOf(element.text) === wanted);
  if (found) return found;
  const offered = all.map(({ element }) => wordsOf(element.text) ?? String(element.action_id)).join(', ');
  throw new Error(`There is nothing "${wanted}" to click in ${where}. There is: ${offered || 'nothing'}.`);
}

function toAction(found: Placed, choose: Entry, world: World): Json {
  const { element, block } = found;
  const common = {
    action_id: element.action_id,
    block_id: block.block_id,
    type: element.type,
    action_ts: world.workspace.identifiers.ts(),
  };
  if (element.type === 'button' || element.type === 'feedback_buttons' || element.type === 'icon_button') {
    return { ...common, text: element.text, ...(element.value !== undefined && { value: element.value }) };
  }
  const value = choose === undefined ? initialValue(element) : enteredValue(element, choose);
  return { ...common, [fieldOf(element)]: value[fieldOf(element)] };
}
