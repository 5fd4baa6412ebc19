// *Classify…*: what an environment is that the register does not name.

import type { InputBlock, ModalView } from '@slack/types';
import { buildPlainText, buildSection, toMrkdwnLine } from '../../slack/views/content.ts';
import { isSameWord } from '../allocations/allocation.ts';
import type { Classification, Register, StatedAllocation } from '../register/register.ts';
import { CLASSIFICATIONS, describeDefaults, describeFinding } from '../review/decided-views.ts';
import { classifyEnvironment, parseOwners } from '../review/decisions.ts';
import { drawsOnTenantPool, type EnvironmentFinding } from '../review/finding.ts';
import { describePool } from '../review/finding-words.ts';
import { toFoundAllocations } from '../review/found-allocation.ts';
import { REVIEW_TOPICS } from '../review/review-buttons.ts';
import { optional } from '../shell/admin-failure.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import { buildLines } from '../shell/blocks.ts';
import type { FormValues } from '../shell/form-fields.ts';
import {
  buildCreditsFields,
  buildUseChoice,
  type ClassifiedCredits,
  describeDefaultSource,
  listComplete,
  readCreditsFields,
  readUse,
  toStatedAllocations,
  USE_FIELD,
  USES,
} from './classification-form.ts';
import { type DecidePorts, registerReviewDecision } from './decide-action.ts';
import type { Filled } from './review-action.ts';
import { buildDecisionForm, type ReviewFormState } from './review-action-views.ts';

/** *Classify…* on an environment that the register does not name. */
export function registerReviewClassify(shell: AdminShell, ports: DecidePorts): void {
  registerReviewDecision<'classification', Classified>(
    shell,
    {
      kind: 'classification',
      working: 'Recording the classification…',
      async buildForm({ finding, approved }, { session, state, needsApprover }) {
        const { currency } = ports;
        const allocation = await optional(session.readAllocation(finding.environmentId));
        const found = allocation === 'gap' ? undefined : findStated(toFoundAllocations(allocation).stated, currency);
        const choices = listComplete(approved);
        const { defaults } = approved.own;
        return buildClassifyModal(finding, { defaults, choices, currency, found, state, needsApprover });
      },
      read: readClassifyForm,
      decide({ finding, approved: { register } }, { credits, unnamedAgents, ...request }) {
        const allocations = toStatedAllocations({ credits }, { currency: ports.currency });
        return classifyEnvironment(finding, { ...request, register, allocations, unnamedAgents });
      },
    },
    ports,
  );
}

/** The block ids. */
const OWNER_FIELDS = { users: 'owner_users', addresses: 'owner_addresses' };

const VALUE = 'value';

const NOT_COMPLETE =
  "the register's defaults do not say all that is approved for it, so state its credits and rules below.";

const UNCHOSEN = 'Choose what this environment is.';

type Classified = ClassifiedCredits & { classification: Classification; owners: string[] };

function findStated(stated: StatedAllocation[] | 'none', currency: string): StatedAllocation | undefined {
  return stated === 'none' ? undefined : stated.find(({ currencyType }) => isSameWord(currencyType, currency));
}

function readClassifyForm(values: FormValues): Filled<Classified> {
  const field = (name: keyof typeof OWNER_FIELDS) => values[OWNER_FIELDS[name]]?.[VALUE];
  const classification = readUse(values);
  const owners = parseOwners(field('addresses')?.value ?? '', field('users')?.selected_users ?? []);
  const credits = readCreditsFields(values);
  if (classification !== undefined && owners.ok && 'answer' in credits) {
    return { answer: { ...credits.answer, classification, owners: owners.owners } };
  }
  return {
    errors: {
      ...('errors' in credits ? credits.errors : {}),
      ...(classification === undefined ? { [USE_FIELD]: UNCHOSEN } : {}),
      ...(owners.ok ? {} : { [OWNER_FIELDS.addresses]: owners.sentence }),
    },
  };
}

type ClassifyOptions = Pick<Register, 'defaults'> & {
  /** Those for which the register's defaults are complete. */
  choices: Classification[];
  /** The credit currency that agents use, and what was found of it. */
  currency: string;
  found?: StatedAllocation | undefined;
  state: ReviewFormState;
  needsApprover?: boolean;
};

export function buildClassifyModal(
  finding: EnvironmentFinding,
  { defaults, choices, currency, found, state, needsApprover }: ClassifyOptions,
): ModalView {
  const { environmentId, ownerId } = finding;
  const byDefault = describeDefaultSource(choices);
  const sources = { ...(byDefault && { defaults: byDefault }), stated: 'What is stated here' };
  const owner = ownerId === undefined ? 'unknown' : toMrkdwnLine(ownerId, 80);
  return buildDecisionForm(REVIEW_TOPICS.classification, {
    submit: 'Classify',
    blocks: [
      buildSection(
        `${describeFinding(finding, undefined)}\nId ${toMrkdwnLine(environmentId, 256)} · Owner in the directory: ${owner}`,
      ),
      ...(drawsOnTenantPool(finding) ? describePool(finding.tenantPool).map(buildSection) : []),
      buildUseChoice(),
      ...USES.flatMap((use) =>
        buildLines(
          choices.includes(use)
            ? [`*${CLASSIFICATIONS[use]}*: what the register then approves`, ...describeDefaults(defaults[use])]
            : [`*${CLASSIFICATIONS[use]}*: ${NOT_COMPLETE}`],
        ),
      ),
      ...buildCreditsFields({ sources, currency, stated: found }),
      buildUsersInput(),
      buildAddressesInput(),
    ],
    state,
    needsApprover,
  });
}

function buildUsersInput(): InputBlock {
  return {
    type: 'input',
    block_id: OWNER_FIELDS.users,
    optional: true,
    label: buildPlainText('Owners in Slack'),
    hint: buildPlainText('Whom the scheduled review tells when something drifts here.'),
    element: { type: 'multi_users_select', action_id: VALUE, placeholder: buildPlainText('Choose people') },
  };
}

function buildAddressesInput(): InputBlock {
  return {
    type: 'input',
    block_id: OWNER_FIELDS.addresses,
    optional: true,
    label: buildPlainText('Owners by e-mail address'),
    hint: buildPlainText('Apart by commas, such as ana@example.com, ben@example.com.'),
    element: { type: 'plain_text_input', action_id: VALUE, max_length: 1_000 },
  };
}
