/** Filling in, submitting and closing modals: https://docs.slack.dev/surfaces/modals#modal_lifecycle */
import { checkView } from '../blocks/check-view.ts';
import { fieldsIn, type Placed } from '../blocks/elements.ts';
import { isObject, parseObject, wordsOf } from '../json.ts';
import { makePushed, makeView } from '../make-view.ts';
import type { Json, View } from '../records.ts';
import { clientComplaint, type Entry, enteredValue } from '../view-values.ts';
import { toSlackView } from '../views.ts';
import { warnUnlessTaken } from '../warnings.ts';
import type { World } from '../world.ts';
import { deliverInteraction, interaction } from './interact.ts';

/** By label, action id, block id, or `block id/action id`. */
export type Entries = Record<string, Entry>;

export type SubmitResult = {
  /** The modal went away; another one may be visible below it. */
  closed: boolean;
  /** What is shown at the fields, by block id. */
  errors: Record<string, string>;
  /** False where Slack's own client refused the entries. */
  sent: boolean;
  /** The visible modal afterwards. */
  view: View | undefined;
  status: number | undefined;
  /** `operation_timeout`, `dispatch_failed`, or what was wrong with the answer: the modal shows a general error. */
  error: string | undefined;
  ms: number;
};

export async function submit(world: World, userId: string, view: View, entries: Entries): Promise<SubmitResult> {
  const current = openView(world, userId, view);
  if (!current.submit && current.blocks.some((block) => block.type === 'input'))
    throw new Error('This modal has no submit button.');
  fill(current, entries);
  const refused = clientErrors(current);
  if (Object.keys(refused).length > 0) {
    return { closed: false, errors: refused, sent: false, view: current, status: undefined, error: undefined, ms: 0 };
  }
  const payload = {
    ...interaction(world, userId, 'view_submission'),
    view: toSlackView(current, world),
    response_urls: [],
  };
  const sent = await deliverInteraction(world, payload);
  const failed = warnUnlessTaken(world, { userId, what: current.callbackId }, sent);
  const outcome = failed === undefined ? applyAnswer(world, current, sent.body) : { error: failed };
  const stack = world.views.stackOf(userId);
  const closed = !stack.some((one) => one.id === current.id);
  return {
    closed,
    errors: {},
    sent: true,
    view: stack.at(-1),
    status: sent.status,
    error: undefined,
    ms: sent.ms,
    ...outcome,
  };
}

/** Enters values without submitting. */
export function fill(view: View, entries: Entries): void {
  for (const [name, entry] of Object.entries(entries)) {
    const { block, element } = findInput(view, name);
    const blockId = String(block.block_id);
    const offered = view.offered[`${blockId}/${String(element.action_id)}`];
    const value = enteredValue({ ...element, ...offered }, entry);
    view.entered[blockId] = { ...view.entered[blockId], [String(element.action_id)]: value };
  }
}

export async function closeView(world: World, userId: string, view: View): Promise<void> {
  const current = openView(world, userId, view);
  const stack = world.views.stackOf(userId);
  const isCleared = current.clearOnClose;
  world.views.setStack(userId, isCleared ? [] : stack.slice(0, -1));
  if (!current.notifyOnClose) return;
  const payload = {
    ...interaction(world, userId, 'view_closed'),
    view: toSlackView(current, world),
    is_cleared: isCleared,
  };
  await deliverInteraction(world, payload);
}

export function openView(world: World, userId: string, view: View): View {
  const top = world.views.stackOf(userId).at(-1);
  if (top?.id !== view.id) throw new Error(`${userId} does not have this modal in front of them.`);
  return top;
}

export function findInput(view: View, name: string): Placed {
  const inputs = fieldsIn(view.blocks);
  const found = inputs.find(({ block, element }) =>
    [
      element.action_id,
      block.block_id,
      `${String(block.block_id)}/${String(element.action_id)}`,
      wordsOf(block.label),
    ].includes(name),
  );
  if (found) return found;
  const offered = inputs.map(({ block, element }) => wordsOf(block.label) ?? String(element.action_id)).join(', ');
  throw new Error(`This modal has no field "${name}". It has: ${offered || 'none'}.`);
}

function clientErrors(view: View): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const block of view.blocks) {
    if (block.type !== 'input') continue;
    const blockId = String(block.block_id);
    const value = view.entered[blockId]?.[String((block.element as Json).action_id)] ?? {};
    const complaint = clientComplaint(block, value);
    if (complaint !== undefined) errors[blockId] = complaint;
  }
  return errors;
}

type Outcome = { errors?: Record<string, string>; error?: string };

/** https://docs.slack.dev/surfaces/modals#response_actions */
function applyAnswer(world: World, view: View, body: string): Outcome {
  const answer = body.trim() === '' ? {} : parseObject(body);
  if (answer === undefined) return { error: 'The answer to the submission is not JSON.' };
  const stack = world.views.stackOf(view.userId);
  // Closed meanwhile: an answer opens nothing.
  if (!stack.some(({ id }) => id === view.id)) return {};
  const below = stack.slice(0, -1);
  switch (answer.response_action) {
    case undefined:
      world.views.setStack(view.userId, below);
      return {};
    case 'clear':
      world.views.setStack(view.userId, []);
      return {};
    case 'errors':
      return toFieldErrors(view, answer.errors);
    case 'update':
      return replace(
        world,
        answer.view,
        (sent) => [...below, makeView(world.workspace, view.userId, sent, view)],
        view.userId,
      );
    case 'push':
      if (stack.length >= 3) return { error: 'push_limit_reached' };
      return replace(world, answer.view, (sent) => [...stack, makePushed(world.workspace, view, sent)], view.userId);
    default:
      return { error: `Unknown response_action ${String(answer.response_action)}.` };
  }
}

function toFieldErrors(view: View, errors: unknown): Outcome {
  const byBlock = isObject(errors) ? (errors as Record<string, string>) : {};
  const unknown = Object.keys(byBlock).filter(
    (id) => !view.blocks.some((block) => block.type === 'input' && block.block_id === id),
  );
  if (unknown.length > 0 || Object.keys(byBlock).length === 0)
    return { error: `errors name no input block: ${unknown.join(', ')}` };
  return { errors: byBlock };
}

function replace(world: World, sent: unknown, toStack: (sent: Json) => View[], userId: string): Outcome {
  if (!isObject(sent)) return { error: 'The answer carries no view.' };
  const problems = checkView(sent, 'modal');
  if (problems.length > 0) return { error: problems.join(' ') };
  world.views.setStack(userId, toStack(sent));
  return {};
}
