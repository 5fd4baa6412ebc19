import { checkView } from '../blocks/check-view.ts';
import { makePushed, makeView } from '../make-view.ts';
import type { Json, View } from '../records.ts';
import { toSlackView } from '../views.ts';
import type { World } from '../world.ts';
import { type Method, method, object, SlackApiError, text } from './method.ts';

/** A modal and at most two more on top of it: https://docs.slack.dev/surfaces/modals */
const MAX_STACK = 3;

export const VIEWS: Record<string, Method> = {
  'views.open': method([], { trigger_id: text, view: object }, (given, world) => {
    const userId = mayOpen(world, given);
    const view = makeView(world.workspace, userId, given.view);
    world.views.setStack(userId, [view]);
    return answer(world, view);
  }),

  'views.push': method([], { trigger_id: text, view: object }, (given, world) => {
    const userId = mayOpen(world, given);
    const stack = world.views.stackOf(userId);
    const below = stack.at(-1);
    if (!below) throw new SlackApiError('not_found');
    if (stack.length >= MAX_STACK) throw new SlackApiError('push_limit_reached');
    const view = makePushed(world.workspace, below, given.view);
    world.views.setStack(userId, [...stack, view]);
    return answer(world, view);
  }),

  'views.update': method(
    [],
    { view: object, view_id: text.optional(), external_id: text.optional(), hash: text.optional() },
    (given, world) => {
      requireView(given.view, 'modal');
      if ((given.view_id === undefined) === (given.external_id === undefined))
        throw new SlackApiError('invalid_arguments');
      const old =
        given.view_id === undefined
          ? world.views.byExternalId(given.external_id ?? '')
          : world.views.byId(given.view_id);
      if (old?.type !== 'modal') throw new SlackApiError('not_found');
      if (given.hash !== undefined && given.hash !== old.hash) throw new SlackApiError('hash_conflict');
      const view = makeView(world.workspace, old.userId, given.view, old);
      world.views.setStack(
        old.userId,
        world.views.stackOf(old.userId).map((one) => (one.id === old.id ? view : one)),
      );
      return answer(world, view);
    },
  ),

  'views.publish': method([], { user_id: text, view: object, hash: text.optional() }, (given, world) => {
    if (!world.registration.hasHomeTab) throw new SlackApiError('not_enabled');
    requireView(given.view, 'home');
    if (!world.workspace.users.has(given.user_id)) throw new SlackApiError('user_not_found');
    const old = world.views.home(given.user_id);
    if (given.hash !== undefined && given.hash !== old?.hash) throw new SlackApiError('hash_conflict');
    const view = makeView(world.workspace, given.user_id, given.view, old);
    world.views.setHome(given.user_id, view);
    return answer(world, view);
  }),
};

function requireView(view: Json, type: 'modal' | 'home'): void {
  const messages = checkView(view, type);
  if (messages.length > 0) throw new SlackApiError('invalid_arguments', { response_metadata: { messages } });
}

/** Uses the trigger up, and answers whose it is. */
function mayOpen(world: World, { view, trigger_id }: { view: Json; trigger_id: string }): string {
  requireView(view, 'modal');
  if (typeof view.external_id === 'string' && view.external_id !== '' && world.views.byExternalId(view.external_id))
    throw new SlackApiError('duplicate_external_id');
  const trigger = world.triggers.exchange(trigger_id);
  if ('error' in trigger) throw new SlackApiError(trigger.error);
  return trigger.userId;
}

function answer(world: World, view: View): Json {
  return { view: toSlackView(view, world) };
}
