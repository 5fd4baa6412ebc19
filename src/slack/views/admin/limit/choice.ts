// Where a name fits several agents: which one is meant.
import type { ModalView } from '@slack/types';
import { type InventoryRow, toGovernedAgent } from '../../../../governance/inventory/inventory.ts';
import { describeAgent } from '../../../../governance/inventory/inventory-words.ts';
import { buildChoiceModal } from '../../../../governance/shell/choice-modal.ts';
import { LIMIT_TOPIC } from '../../modal.ts';
import { toMrkdwnLine } from '../../shown-text.ts';
import { encodeAgent, SET_LIMIT_ACTION } from './metadata.ts';

/** `replyTo` comes back as the view's private_metadata. */
export function buildAgentChoice(
  agents: readonly InventoryRow[],
  asked: { query: string; replyTo: string },
): ModalView {
  const toChoice = (row: InventoryRow) => {
    const agent = toGovernedAgent(row);
    const text = `${describeAgent(row)}\nId ${toMrkdwnLine(row.name, 100)}`;
    return { text, value: agent && encodeAgent(agent) };
  };
  return buildChoiceModal(agents, toChoice, {
    topic: LIMIT_TOPIC,
    title: 'Which agent?',
    plural: 'agents',
    button: { actionId: SET_LIMIT_ACTION, text: 'Set limit…' },
    ...asked,
  });
}
