// *Classify…*: what an environment is that the register does not name.
import type { InputBlock, ModalView } from '@slack/types';
import { buildPlainText, buildSection, toMrkdwnLine } from '../../slack/views/content.ts';
import type { Classification, Register } from '../register/register.ts';
import type { ReadyRegister } from '../review/approved-state.ts';
import { CLASSIFICATIONS, CLASSIFY_TOPIC, describeDefaults, describeFinding } from '../review/decided-views.ts';
import { classifyEnvironment, parseOwners } from '../review/decisions.ts';
import { drawsOnTenantPool, type EnvironmentFinding } from '../review/finding.ts';
import { describePool, REVIEW_CLASSIFY_ACTION } from '../review/finding-views.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import { buildLines } from '../shell/blocks.ts';
import { type DecidePorts, registerReviewDecision } from './decide-action.ts';
import type { Filled, FormValues } from './review-action.ts';
import { buildDecisionForm, type ReviewFormState } from './review-action-views.ts';

/** The block ids. */
const CLASSIFY_FIELDS = { classification: 'classification', users: 'owner_users', addresses: 'owner_addresses' };

const VALUE = 'value';

const ORDER = ['maker-development', 'funded-production'] as const satisfies Classification[];

const NOT_COMPLETE =
  "cannot be chosen, because the register's defaults for it do not say all that is approved. Complete them, or name this environment in the register.";

const NO_DEFAULTS =
  "The register's defaults do not say what is approved for environments of any kind. Complete them, or name this environment in the register.";

const UNCHOSEN = 'Choose what this environment is.';

type Classified = { classification: Classification; owners: string[] };

/** *Classify…* on an environment that the register does not name. */
export function registerReviewClassify(shell: AdminShell, ports: DecidePorts): void {
  registerReviewDecision<'classification', Classified>(
    shell,
    {
      kind: 'classification',
      actionId: REVIEW_CLASSIFY_ACTION,
      topic: CLASSIFY_TOPIC,
      working: 'Recording the classification…',
      async buildForm({ finding, approved }, { state, needsApprover }) {
        const choices = listChoices(finding, approved);
        if (choices.length === 0) return { problem: NO_DEFAULTS };
        return buildClassifyModal(finding, { defaults: approved.own.defaults, choices, state, needsApprover });
      },
      read: readClassifyForm,
      decide: ({ finding, approved: { register } }, request) => classifyEnvironment(finding, { ...request, register }),
    },
    ports,
  );
}

/** Those of which the register's defaults say all that has to be said. */
function listChoices(finding: EnvironmentFinding, { register, registerHash }: ReadyRegister): Classification[] {
  const by = { team: '', workspace: '', user: '' };
  const trial = { id: 'trial', by, at: 0, reason: 'trial', register, registerHash };
  return ORDER.filter((classification) => 'record' in classifyEnvironment(finding, { ...trial, classification }));
}

function readClassifyForm(values: FormValues): Filled<Classified> {
  const field = (name: keyof typeof CLASSIFY_FIELDS) => values[CLASSIFY_FIELDS[name]]?.[VALUE];
  const chosen = field('classification')?.selected_option?.value;
  const classification = ORDER.find((use) => use === chosen);
  const owners = parseOwners(field('addresses')?.value ?? '', field('users')?.selected_users ?? []);
  if (classification !== undefined && owners.ok) return { answer: { classification, owners: owners.owners } };
  return {
    errors: {
      ...(classification === undefined ? { [CLASSIFY_FIELDS.classification]: UNCHOSEN } : {}),
      ...(owners.ok ? {} : { [CLASSIFY_FIELDS.addresses]: owners.sentence }),
    },
  };
}

type ClassifyOptions = Pick<Register, 'defaults'> & {
  /** Those of which the register says all that is approved; one at least. */
  choices: Classification[];
  state: ReviewFormState;
  needsApprover?: boolean;
};

export function buildClassifyModal(
  finding: EnvironmentFinding,
  { defaults, choices, state, needsApprover }: ClassifyOptions,
): ModalView {
  const { environmentId, ownerId } = finding;
  const owner = ownerId === undefined ? 'not told' : toMrkdwnLine(ownerId, 80);
  return buildDecisionForm(CLASSIFY_TOPIC, {
    submit: 'Classify',
    blocks: [
      buildSection(
        `${describeFinding(finding, undefined)}\nId ${toMrkdwnLine(environmentId, 256)} · Owner in the directory: ${owner}`,
      ),
      ...(drawsOnTenantPool(finding) ? describePool(finding.tenantPool).map(buildSection) : []),
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
    ],
    state,
    needsApprover,
  });
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
