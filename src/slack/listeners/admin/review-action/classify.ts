import { randomUUID } from 'node:crypto';
import { parseReason } from '../../../../governance/audit/reason.ts';
import { type Classification, toIdKey } from '../../../../governance/register/register.ts';
import type { ReadyRegister } from '../../../../governance/review/approved-state.ts';
import { CLASSIFY_TOPIC } from '../../../../governance/review/decided-views.ts';
import { approvesMore, classifyEnvironment } from '../../../../governance/review/decisions.ts';
import type { EnvironmentFinding } from '../../../../governance/review/finding.ts';
import { parseOwners } from '../../../../governance/review/parse-owners.ts';
import { readDecidable } from '../../../../governance/review/reviewed-finding.ts';
import {
  buildClassifyModal,
  CLASSIFY_FIELDS,
  CLASSIFY_FORM,
  readClassifyForm,
} from '../../../../governance/review-actions/classify-action.ts';
import { type DecidePorts, decideAndTell } from '../../../../governance/review-actions/decide-action.ts';
import {
  type Checked,
  type FormPorts,
  type FormValues,
  registerReviewForm,
} from '../../../../governance/review-actions/review-action.ts';
import type { AdminShell } from '../../../../governance/shell/admin-shell.ts';
import { REASON_FIELD, readReason } from '../../../views/admin/reason-field.ts';
import { REVIEW_CLASSIFY_ACTION } from '../../../views/admin/review/place.ts';
import { onReviewButton, type Pressed } from './open.ts';

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
