// Where a name fits several things: which one is meant.
import type { ModalView, SectionBlock } from '@slack/types';
import { buildPlainText, buildSection, toMrkdwnName } from '../../slack/views/content.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { formatCredits } from './values.ts';

/** What one reads through; who has more to choose from types more of the name. */
const MAX_CHOICES = 20;

/** `text`: mrkdwn. `value`: of the button; without one it cannot be chosen. */
export type Choice = { text: string; value: string | undefined };

export type ChoiceOptions = {
  topic: ModalTopic;
  title: string;
  /** As in *12 agents fit*. */
  plural: string;
  button: { actionId: string; text: string };
  /** What was typed. */
  query: string;
  /** Comes back as the view's private_metadata. */
  replyTo: string;
};

export function buildChoiceModal<Item>(
  items: readonly Item[],
  toChoice: (item: Item) => Choice,
  { topic, title, plural, button, query, replyTo }: ChoiceOptions,
): ModalView {
  const more = items.length - MAX_CHOICES;
  const intro = `${formatCredits(items.length)} ${plural} fit “${toMrkdwnName(query, 100)}”. Which one do you mean?`;
  return {
    type: 'modal',
    callback_id: `${topic.id}_choice`,
    title: buildPlainText(title),
    close: buildPlainText('Cancel'),
    private_metadata: replyTo,
    blocks: [
      buildSection(intro),
      ...items.slice(0, MAX_CHOICES).map((item) => buildChoice(toChoice(item), button)),
      ...(more > 0 ? [buildSection(`And ${formatCredits(more)} more: give the command with more of the name.`)] : []),
    ],
  };
}

function buildChoice({ text, value }: Choice, button: ChoiceOptions['button']): SectionBlock {
  const section = buildSection(text);
  if (value === undefined) return section;
  const accessory = { type: 'button', action_id: button.actionId, text: buildPlainText(button.text), value } as const;
  return { ...section, accessory };
}
