// Where a name fits several agents: which one is meant.
import type { ModalView, SectionBlock } from '@slack/types';
import { type InventoryRow, toGovernedAgent } from '../../../governance/inventory.ts';
import { formatCredits } from '../../../governance/plan-rows.ts';
import { toMrkdwnLine } from '../shown-text.ts';
import { encodeAgent } from './limit-metadata.ts';
import { buildPlainText, buildSection, describeAgent } from './limit-words.ts';
import { SET_LIMIT_ACTION } from './limits-message.ts';

/** What one reads through; who has more to choose from types more of the name. */
const MAX_CHOICES = 20;

/** `replyTo` comes back as the view's private_metadata. */
export function buildChoiceModal(
  agents: readonly InventoryRow[],
  { query, replyTo }: { query: string; replyTo: string },
): ModalView {
  const more = agents.length - MAX_CHOICES;
  return {
    type: 'modal',
    callback_id: 'admin_limit_choice',
    title: buildPlainText('Which agent?'),
    close: buildPlainText('Cancel'),
    private_metadata: replyTo,
    blocks: [
      buildSection(`${formatCredits(agents.length)} agents fit “${toMrkdwnLine(query, 100)}”. Which one do you mean?`),
      ...agents.slice(0, MAX_CHOICES).map(buildChoice),
      ...(more > 0 ? [buildSection(`And ${formatCredits(more)} more: give the command with more of the name.`)] : []),
    ],
  };
}

function buildChoice(row: InventoryRow): SectionBlock {
  const agent = toGovernedAgent(row);
  const value = agent && encodeAgent(agent);
  const section = buildSection(`${describeAgent(row)}\nId ${toMrkdwnLine(row.name, 100)}`);
  if (value === undefined) return section;
  return {
    ...section,
    accessory: { type: 'button', action_id: SET_LIMIT_ACTION, text: buildPlainText('Set limit…'), value },
  };
}
