// *Classify…*: what an environment is that the register does not name.
import type { InputBlock, ModalView } from '@slack/types';
import { buildReasonInput } from '../../slack/views/admin/reason-field.ts';
import { encodeReviewForm, type ReviewFormState } from '../../slack/views/admin/review-action/metadata.ts';
import { buildPlainText, buildSection } from '../../slack/views/content.ts';
import { toMrkdwnLine } from '../../slack/views/shown-text.ts';
import type { Classification, Register } from '../register/register.ts';
import { CLASSIFICATIONS, CLASSIFY_TOPIC, describeDefaults, describeFinding } from '../review/decided-views.ts';
import { drawsOnTenantPool, type EnvironmentFinding } from '../review/finding.ts';
import { buildLines } from '../shell/blocks.ts';
import { buildDecisionApprover, buildDecisionSubmit } from './review-action-views.ts';

export const CLASSIFY_FORM = `${CLASSIFY_TOPIC.id}_form`;

/** The block ids. */
export const CLASSIFY_FIELDS = { classification: 'classification', users: 'owner_users', addresses: 'owner_addresses' };

const VALUE = 'value';

const ORDER = ['maker-development', 'funded-production'] as const satisfies Classification[];

const NOT_COMPLETE =
  "cannot be chosen, because the register's defaults for it do not say all that is approved. Complete them, or name this environment in the register.";

const POOL: Record<EnvironmentFinding['tenantPool'], string> = {
  on: 'It draws on the tenant pool.',
  off: 'It does not draw on the tenant pool.',
  'platform-default': 'No rule of its own about the tenant pool: platforms let it draw by default.',
  unknown: 'Whether it draws on the tenant pool cannot be told.',
};

type ClassifyOptions = Pick<Register, 'defaults'> & {
  /** Those of which the register says all that is approved; one at least. */
  choices: Classification[];
  state: ReviewFormState;
  /** A second admin has to approve it: asks who. */
  needsApprover?: boolean;
};

export function buildClassifyModal(
  finding: EnvironmentFinding,
  { defaults, choices, state, needsApprover = false }: ClassifyOptions,
): ModalView {
  const { environmentId, ownerId } = finding;
  const owner = ownerId === undefined ? 'not told' : toMrkdwnLine(ownerId, 80);
  return {
    type: 'modal',
    callback_id: CLASSIFY_FORM,
    title: buildPlainText(CLASSIFY_TOPIC.title),
    submit: buildDecisionSubmit('Classify', needsApprover),
    close: buildPlainText('Cancel'),
    private_metadata: encodeReviewForm(state),
    blocks: [
      buildSection(
        `${describeFinding(finding, undefined)}\nId ${toMrkdwnLine(environmentId, 256)} · Owner in the directory: ${owner}`,
      ),
      ...(drawsOnTenantPool(finding) ? [buildSection(`:rotating_light: ${POOL[finding.tenantPool]}`)] : []),
      buildChoice(choices),
      ...ORDER.flatMap((use) =>
        buildLines(
          choices.includes(use)
            ? [`*${CLASSIFICATIONS[use]}*: what the register then approves`, ...describeDefaults(defaults[use])]
            : [`*${CLASSIFICATIONS[use]}*: ${NOT_COMPLETE}`],
        ),
      ),
      buildUsersInput(),
      buildAddressesInput(),
      buildReasonInput(),
      ...buildDecisionApprover(needsApprover),
    ],
  };
}

type ViewValues = Record<
  string,
  Record<
    string,
    { value?: string | null; selected_option?: { value: string } | null; selected_users?: string[] | null }
  >
>;

/** As chosen and typed. */
export function readClassifyForm(values: ViewValues): {
  classification: Classification | undefined;
  users: string[];
  addresses: string;
} {
  const field = (name: keyof typeof CLASSIFY_FIELDS) => values[CLASSIFY_FIELDS[name]]?.[VALUE];
  const chosen = field('classification')?.selected_option?.value;
  return {
    classification: ORDER.find((use) => use === chosen),
    users: field('users')?.selected_users ?? [],
    addresses: field('addresses')?.value ?? '',
  };
}

// Nothing is chosen beforehand: what is approved follows from it.
function buildChoice(choices: readonly Classification[]): InputBlock {
  return {
    type: 'input',
    block_id: CLASSIFY_FIELDS.classification,
    label: buildPlainText('What is this environment?'),
    element: {
      type: 'radio_buttons',
      action_id: VALUE,
      options: ORDER.filter((use) => choices.includes(use)).map((use) => ({
        text: buildPlainText(CLASSIFICATIONS[use]),
        value: use,
      })),
    },
  };
}

function buildUsersInput(): InputBlock {
  return {
    type: 'input',
    block_id: CLASSIFY_FIELDS.users,
    optional: true,
    label: buildPlainText('Owners in Slack'),
    hint: buildPlainText('Whom the scheduled review tells when something drifts here.'),
    element: { type: 'multi_users_select', action_id: VALUE, placeholder: buildPlainText('Choose people') },
  };
}

function buildAddressesInput(): InputBlock {
  return {
    type: 'input',
    block_id: CLASSIFY_FIELDS.addresses,
    optional: true,
    label: buildPlainText('Owners by e-mail address'),
    hint: buildPlainText('Apart by commas, such as ana@example.com, ben@example.com.'),
    element: { type: 'plain_text_input', action_id: VALUE, max_length: 1_000 },
  };
}
