// Where a name fits several environments: which one is meant.
import type { ModalView } from '@slack/types';
import type { NamedEnvironment } from '../../../../governance/environments.ts';
import { describeEnvironment } from '../../../../governance/inventory/inventory-words.ts';
import { buildChoiceModal } from '../../../../governance/shell/choice-modal.ts';
import { ALLOCATION_TOPIC } from '../../modal.ts';
import { toMrkdwnLine } from '../../shown-text.ts';
import { ALLOCATION_OPEN_ACTION, encodeEnvironment } from '../environment-value.ts';

/** `replyTo` comes back as the view's private_metadata. */
export function buildEnvironmentChoice(
  environments: readonly NamedEnvironment[],
  asked: { query: string; replyTo: string },
): ModalView {
  const toChoice = ({ environmentId, name }: NamedEnvironment) => ({
    text: `${describeEnvironment(environmentId, name)}\nId ${toMrkdwnLine(environmentId, 100)}`,
    value: encodeEnvironment({ environmentId, name }),
  });
  return buildChoiceModal(environments, toChoice, {
    topic: ALLOCATION_TOPIC,
    title: 'Which environment?',
    plural: 'environments',
    button: { actionId: ALLOCATION_OPEN_ACTION, text: 'Allocation…' },
    ...asked,
  });
}
