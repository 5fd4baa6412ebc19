// The window that gives environments a class, and the edits of the policy that follow from it.
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { SECTION_LIMIT } from '../../slack/text-out/message-budget.ts';
import {
  buildPlainText,
  buildSection,
  fitBlocks,
  shortenLines,
  toLine,
  toMrkdwnName,
} from '../../slack/views/content.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { MAX_OPTION_TEXT_LENGTH, MAX_OPTIONS } from '../../slack/web/limits.ts';
import { describeEnvironment } from '../inventory/inventory-views.ts';
import { describeValue } from '../operations/operations.ts';
import { setEdit } from '../policy/edit.ts';
import { listClasses, type Policy, readClass, readEntry } from '../policy/policy.ts';
import type { GovernanceServices } from '../services.ts';
import type { AdminShell, Answer, Submission } from '../shell/admin-shell.ts';
import { fitLines } from '../shell/blocks.ts';
import { buildSelect, type FormValues } from '../shell/form-fields.ts';
import { type Opened, toProblem } from '../shell/modal.ts';
import { keep, parseState, readKept } from '../shell/modal-state.ts';
import { formatCredits } from '../shell/whole-number.ts';
import { buildDecisionFields, carryOut, readDecision } from './decision-form.ts';
import { FORM_ACTIONS, parseEnvironment, readReplyTo } from './target-buttons.ts';
import { buildFormWindow } from './window-views.ts';

const CLASS_TOPIC: ModalTopic = { id: 'form_class', title: 'Class', loading: 'Looking up the classes…' };

/** callback_id; its private_metadata is read by parseClassState. */
const CLASS_FORM = 'form_class_set';

/** The block id. */
const CLASS_FIELD = 'class';

const stateSchema = z.object({ id: z.string().min(1), replyTo: z.string() });

/** `id`: under which the environments are kept: there may be thousands. */
type ClassState = z.infer<typeof stateSchema>;

function parseClassState(text: string): ClassState | undefined {
  return parseState(stateSchema, text);
}

export type ClassEnvironment = { environmentId: string; name: string };

/** More are counted. */
const MAX_NAMES = 20;

type Options = ClassState & { policy: Policy; now: number; initial: string | undefined; needsApproval: boolean };

export function buildClassForm(
  environments: readonly ClassEnvironment[],
  { id, replyTo, policy, now, initial, needsApproval }: Options,
): ModalView {
  const classes = listClasses(policy).slice(0, MAX_OPTIONS);
  const chosen = classes.find((name) => name.toLowerCase() === initial?.toLowerCase());
  const options = classes.map((name) => [name, toLine(name, MAX_OPTION_TEXT_LENGTH)] as const);
  const says = classes.map((className) => {
    const standard = readEntry(policy, 'standard', { className }, now)?.value;
    return `*${toMrkdwnName(className, 40)}*: ${toMrkdwnName(standard === undefined ? 'nothing' : describeValue('standard', standard), 300)}`;
  });
  return buildFormWindow({
    callbackId: CLASS_FORM,
    title: CLASS_TOPIC.title,
    submit: environments.length === 1 ? 'Set class' : `Set class of ${formatCredits(environments.length)}`,
    metadata: { id, replyTo } satisfies ClassState,
    blocks: [
      ...fitBlocks([buildSection(describeEnvironments(environments, policy, now)), buildSection(fitLines(says))]),
      {
        ...buildSelect(CLASS_FIELD, 'Class', Object.fromEntries(options), { initial: chosen }),
        hint: buildPlainText('What the class says is approved from then on, and set where it differs.'),
      },
      ...buildDecisionFields({ hasUntil: true, approver: needsApproval ? 'maybe' : 'none' }),
    ],
  });
}

function describeEnvironments(environments: readonly ClassEnvironment[], policy: Policy, now: number): string {
  const names = environments.slice(0, MAX_NAMES).map(({ environmentId, name }) => {
    const className = readClass(policy, environmentId, now);
    const present = className === undefined ? 'no class' : toMrkdwnName(className, 40);
    return `${describeEnvironment(environmentId, name)} (${present})`;
  });
  const more = environments.length - names.length;
  const all = [...names, ...(more > 0 ? [`and ${formatCredits(more)} more`] : [])].join(', ');
  return shortenLines(all, SECTION_LIMIT);
}

/** Undefined: none was chosen. */
function readClassName(values: FormValues): string | undefined {
  return values[CLASS_FIELD]?.value?.selected_option?.value;
}

/** The environments of a window are kept under this. */
const KEPT = 'form-class';

const TOO_OLD = 'This is too old, so nothing was changed. Open it again.';

const NO_CLASSES =
  'The policy has no class yet. Draft it with /assistant-admin review, or import one with /assistant-admin policy.';

/** `className`: chosen beforehand. */
export async function openClassForm(
  { modal, replyTo }: Pick<Opened, 'modal' | 'replyTo'>,
  environments: readonly ClassEnvironment[],
  className: string | undefined,
  services: GovernanceServices,
): Promise<void> {
  const { policy } = await services.policy.read();
  if (listClasses(policy).length === 0) return modal.showProblem(NO_CLASSES);
  const named = environments.map(({ environmentId, name }) => ({ environmentId, name }));
  const id = await keep(KEPT, named, services);
  const { needsApproval } = services;
  await modal.show(
    buildClassForm(named, { id, replyTo, policy, now: services.now(), initial: className, needsApproval }),
  );
}

export function registerClassForm(shell: AdminShell, services: GovernanceServices): void {
  const button = { actionId: FORM_ACTIONS.class, topic: CLASS_TOPIC, parse: parseEnvironment, outOfDate: TOO_OLD };
  shell.onModalButton({ ...button, readReplyTo }, (environment, opened) =>
    openClassForm(opened, [environment], undefined, services),
  );
  shell.onSubmission({ callbackId: CLASS_FORM, topic: CLASS_TOPIC, isFresh: true }, (submission) =>
    submitClass(submission, services),
  );
}

/** What is wrong is said at its field. */
export async function submitClass(submission: Submission, services: GovernanceServices): Promise<Answer> {
  const { view, caller } = submission;
  const state = parseClassState(view.private_metadata);
  const environments = state && (await readKept<ClassEnvironment[]>(KEPT, state.id, services));
  if (!state || !environments) return { answer: toProblem(TOO_OLD, CLASS_TOPIC) };
  const values = view.state.values as FormValues;
  const className = readClassName(values);
  const errors: Record<string, string> = className === undefined ? { [CLASS_FIELD]: 'Choose a class.' } : {};
  const decision = await readDecision(values, { caller, errors, needsApprover: false }, services);
  if ('errors' in decision || className === undefined) {
    return { answer: { response_action: 'errors', errors: 'errors' in decision ? decision.errors : errors } };
  }
  const edits = environments.map(({ environmentId }) => setEdit('class', { environmentId }, className, decision.until));
  const topic = { ...CLASS_TOPIC, loading: 'Looking up what would change…' };
  return carryOut({ edits, decision }, submission, { topic, replyTo: state.replyTo }, services);
}
