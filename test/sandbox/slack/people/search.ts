/** Typing into a select whose options come from the app: https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element#external_select */
import { checkOptionsAnswer } from '../blocks/check-elements.ts';
import { toObjects, wordsOf } from '../json.ts';
import type { Json, View } from '../records.ts';
import { toSlackView } from '../views.ts';
import type { World } from '../world.ts';
import { interaction } from './interact.ts';
import { findInput, openView } from './modal.ts';

export type SearchResult = {
  /** What is offered, in order. `group`: the label above it, which cannot be picked. */
  options: { text: string; description: string | undefined; value: string; group: string | undefined }[];
  /** False where the client asks only for longer texts (`min_query_length`). */
  sent: boolean;
  /** `operation_timeout`, `dispatch_failed`, or what was wrong with the answer: nothing is offered. */
  error: string | undefined;
  ms: number;
};

const DEFAULT_MIN_QUERY_LENGTH = 3;

export async function search(
  world: World,
  userId: string,
  view: View,
  target: { name: string; typed: string },
): Promise<SearchResult> {
  const current = openView(world, userId, view);
  const { block, element } = findInput(current, target.name);
  if (!String(element.type).endsWith('external_select')) throw new Error(`"${target.name}" asks nobody for options.`);
  if (target.typed.length < Number(element.min_query_length ?? DEFAULT_MIN_QUERY_LENGTH)) {
    return { options: [], sent: false, error: undefined, ms: 0 };
  }
  const url = world.registration.optionsUrl;
  if (url === undefined) throw new Error('The app has no options load URL, so Slack can ask it for no options.');
  const { trigger_id, ...common } = interaction(world, userId, 'block_suggestion');
  const payload = {
    ...common,
    container: { type: 'view', view_id: current.id },
    view: toSlackView(current, world),
    block_id: block.block_id,
    action_id: element.action_id,
    value: target.typed,
  };
  const sent = await world.delivery.send({
    kind: 'interaction',
    type: 'block_suggestion',
    payloadId: trigger_id,
    payload,
    ...(url !== 'events' && { url }),
  });
  const result = { options: [], sent: true, ms: sent.ms };
  if (sent.status !== 200) {
    return { ...result, error: sent.error === 'http_timeout' ? 'operation_timeout' : 'dispatch_failed' };
  }
  const checked = checkOptionsAnswer(sent.body);
  if ('problems' in checked) return { ...result, error: checked.problems.join(' ') };
  current.offered[`${String(block.block_id)}/${String(element.action_id)}`] = checked.answer;
  return { ...result, options: toList(checked.answer), error: undefined };
}

function toList({ options, option_groups }: Json): SearchResult['options'] {
  return [
    ...toObjects(options).map((option) => toOption(option, undefined)),
    ...toObjects(option_groups).flatMap((group) =>
      toObjects(group.options).map((option) => toOption(option, wordsOf(group.label))),
    ),
  ];
}

function toOption({ text, value, description }: Json, group: string | undefined): SearchResult['options'][number] {
  return { text: wordsOf(text) ?? '', value: String(value), description: wordsOf(description), group };
}
