// How a change goes on and ended, told to the admin who confirmed it.
import type { ModalView } from '@slack/types';
import type { LimitOutcome, UnverifiedReason } from '../../../governance/apply-limit.ts';
import type { LimitPlan } from '../../../governance/limit-plan.ts';
import type { Content } from '../content.ts';
import { toMrkdwnLine } from '../shown-text.ts';
import { describeRow } from './limit-confirm.ts';
import { buildPlainText, buildSection, describeAgent, describeKnownLimit } from './limit-words.ts';

/** `text` alone says it, too: it is what notifications and screen readers have. */
export function buildOutcomeMessage(
  plan: LimitPlan,
  outcome: LimitOutcome,
  { timeZone }: { timeZone: string },
): Content {
  const agent = describeAgent(plan.agent);
  const rows = plan.rows.map(describeRow).join('\n');
  const [headline, ...details] = describe(outcome, { agent, rows, timeZone });
  return { text: headline, blocks: [headline, ...details].map(buildSection) };
}

/** Takes the place of the confirmation while the change is carried out. */
export function buildApplyingModal(plan: LimitPlan): ModalView {
  const text = `Setting the limit of ${describeAgent(plan.agent)}…`;
  const note = 'You may close this: it goes on all the same, and you get a message about how it ended.';
  return buildEndModal([buildSection(text), buildSection(note)]);
}

export function buildOutcomeModal({ blocks }: Content): ModalView {
  return buildEndModal(blocks);
}

/** Closing it closes the form below as well: what that shows is out of date. */
function buildEndModal(blocks: ModalView['blocks']): ModalView {
  return {
    type: 'modal',
    callback_id: 'admin_limit_outcome',
    title: buildPlainText('Monthly credit limit'),
    close: buildPlainText('Close'),
    clear_on_close: true,
    blocks,
  };
}

type Told = { agent: string; rows: string; timeZone: string };

function describe(outcome: LimitOutcome, { agent, rows, timeZone }: Told): [string, ...string[]] {
  switch (outcome.kind) {
    case 'verified':
      return [`:white_check_mark: *Verified*: the limit of ${agent} is set, and was read back.`, rows];
    case 'applied_not_verified':
      return outcome.reason === 'no_answer'
        ? [
            `:warning: *Applied, not verified*: the limit of ${agent} may or may not be set.`,
            NOT_VERIFIED.no_answer,
            rows,
          ]
        : [
            `:warning: *Applied, not verified*: the service took the limit of ${agent}.`,
            NOT_VERIFIED[outcome.reason],
            rows,
          ];
    case 'conflict': {
      const { expected, found, stage } = outcome;
      const [said, advice] = CONFLICT[stage];
      return [
        `:x: *Conflict*: ${said} (${agent})`,
        `Expected: ${describeKnownLimit(expected, timeZone)}\nFound: ${describeKnownLimit(found, timeZone)}`,
        advice,
      ];
    }
    case 'failed':
      return [`:x: *Failed*: the limit of ${agent} was not changed.`, toMrkdwnLine(outcome.failure.sentence, 600)];
    case 'duplicate':
      return [`This change of the limit of ${agent} was confirmed before; it is carried out once.`];
  }
}

const NOT_VERIFIED: Record<UnverifiedReason, string> = {
  not_offered:
    'It does not show the limits of agents, so this could not be checked. It is remembered here, with its date.',
  read_back_failed: 'Reading it back failed. Look with `/assistant-admin limits` in a few minutes.',
  not_listed: 'It does not list the new limit yet. Look with `/assistant-admin limits` in a few minutes.',
  stop_not_told: 'It shows the new values, but not whether the agent is stopped. Check that in the admin console.',
  still_old:
    'It still shows the old values. Look with `/assistant-admin limits` in a few minutes before you set it again.',
  no_answer:
    'The service did not answer in time, and looking did not settle it. Check the agent in the admin console, or with `/assistant-admin limits`, before you set it again.',
};

const CONFLICT = {
  before_write: [
    'somebody changed this limit while you looked at it. Nothing was changed.',
    'Open the agent again with `/assistant-admin limit`, and decide from what is there now.',
  ],
  after_write: [
    'your limit was sent, but the service shows something else.',
    'Somebody may have changed it at the same time. Look again with `/assistant-admin limits`, and agree with them.',
  ],
} as const;
