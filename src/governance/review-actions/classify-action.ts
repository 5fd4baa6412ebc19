// *Classify…*: what an environment is that the register does not name.

import { randomUUID } from 'node:crypto';
import type { InputBlock, ModalView } from '@slack/types';
import { buildPlainText, buildSection, toMrkdwnLine } from '../../slack/views/content.ts';
import { parseReason } from '../audit/audited-changes.ts';
import { type Classification, type Register, toIdKey } from '../register/register.ts';
import type { ReadyRegister } from '../review/approved-state.ts';
import { CLASSIFICATIONS, CLASSIFY_TOPIC, describeDefaults, describeFinding } from '../review/decided-views.ts';
import { approvesMore, classifyEnvironment, parseOwners } from '../review/decisions.ts';
import { drawsOnTenantPool, type EnvironmentFinding } from '../review/finding.ts';
import { REVIEW_CLASSIFY_ACTION } from '../review/finding-views.ts';
import { readDecidable } from '../review/reviewed-finding.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import { buildLines, buildReasonInput, REASON_FIELD, readReason } from '../shell/blocks.ts';
import { type DecidePorts, decideAndTell } from './decide-action.ts';
import {
  type Checked,
  type FormPorts,
  type FormValues,
  onReviewButton,
  type Pressed,
  registerReviewForm,
} from './review-action.ts';
import {
  buildDecisionApprover,
  buildDecisionSubmit,
  encodeReviewForm,
  type ReviewFormState,
} from './review-action-views.ts';

const CLASSIFY_FORM = `${CLASSIFY_TOPIC.id}_form`;

/** The block ids. */
const CLASSIFY_FIELDS = { classification: 'classification', users: 'owner_users', addresses: 'owner_addresses' };

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
function readClassifyForm(values: ViewValues): {
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

const NAMED = 'The register names this environment by now, or somebody has classified it. Look at the review again.';

const NO_DEFAULTS =
  "The register's defaults do not say what is approved for environments of any kind. Complete them, or name this environment in the register.";

const UNCHOSEN = 'Choose what this environment is.';

type ClassifyPorts = DecidePorts & FormPorts;

/** *Classify…* on an environment that the register does not name. */
export function registerReviewClassify(shell: AdminShell, ports: ClassifyPorts): void {
  const button = { actionId: REVIEW_CLASSIFY_ACTION, topic: CLASSIFY_TOPIC };
  onReviewButton(shell, button, (pressed) => open(pressed, ports));
  const form = { callbackId: CLASSIFY_FORM, topic: CLASSIFY_TOPIC, working: 'Recording the classification…' };
  registerReviewForm(shell, { ...form, check: (values) => check(values, ports) }, ports);
}

async function open({ place, modal, replyTo }: Pressed, ports: ClassifyPorts): Promise<void> {
  const found = await readDecidable(place, ports);
  if ('problem' in found) return modal.showProblem(found.problem);
  const { finding, approved } = found;
  const key = toIdKey(finding.environmentId);
  const isNamed = approved.register.environments.some(({ id }) => toIdKey(id) === key);
  if (isNamed || finding.kind !== 'environment') return modal.showProblem(NAMED);
  const choices = listChoices(finding, approved);
  if (choices.length === 0) return modal.showProblem(NO_DEFAULTS);
  const { defaults } = approved.own;
  const needsApprover = ports.needsApproval && approvesMore('classification', finding);
  const state = { id: randomUUID(), place, replyTo };
  await modal.show(buildClassifyModal(finding, { defaults, choices, state, needsApprover }));
}

/** Those of which the register's defaults say all that has to be said. */
function listChoices(finding: EnvironmentFinding, { register, registerHash }: ReadyRegister): Classification[] {
  const by = { team: '', workspace: '', user: '' };
  const trial = { id: 'trial', by, at: 0, reason: 'trial', register, registerHash };
  return (['maker-development', 'funded-production'] as const).filter(
    (classification) => 'record' in classifyEnvironment(finding, { ...trial, classification }),
  );
}

function check(values: FormValues, ports: ClassifyPorts): Checked {
  const { classification, users, addresses } = readClassifyForm(values);
  const owners = parseOwners(addresses, users);
  const parsed = parseReason(readReason(values));
  if (classification === undefined || !owners.ok || !parsed.ok) {
    return {
      errors: {
        ...(classification === undefined ? { [CLASSIFY_FIELDS.classification]: UNCHOSEN } : {}),
        ...(owners.ok ? {} : { [CLASSIFY_FIELDS.addresses]: owners.sentence }),
        ...(parsed.ok ? {} : { [REASON_FIELD]: parsed.sentence }),
      },
    };
  }
  return {
    run: (submitted) =>
      decideAndTell(
        submitted,
        {
          topic: CLASSIFY_TOPIC,
          reason: parsed.reason,
          decide({ finding, approved }, request) {
            if (finding.kind !== 'environment') return { problem: NAMED };
            const { register } = approved;
            return classifyEnvironment(finding, { ...request, register, classification, owners: owners.owners });
          },
          approvesMore: ({ finding }) => approvesMore('classification', finding),
        },
        ports,
      ),
  };
}
