// The window that gives environments a class, and the edits of the policy that follow from it.
import { setEdit } from '../../policy/edit.ts';
import { listClasses, type Policy, readClass, readEntry } from '../../policy/policy.ts';
import { SECTION_LIMIT } from '../../slack/text-out/message-budget.ts';
import { buildSection, fitBlocks, shortenLines, toMrkdwnName } from '../../slack/views/content.ts';
import { buildChoice } from '../../slack/views/fields.ts';
import { MAX_OPTIONS } from '../../slack/web/limits.ts';
import { describeEnvironment } from '../inventory/inventory-views.ts';
import { describeValue } from '../operations/operations.ts';
import { type FormWindow, opensForm, showForm } from '../run/kept-form.ts';
import type { GovernanceServices } from '../services.ts';
import { fitLines, joinNames } from '../shell/blocks.ts';
import type { Opened } from '../shell/modal.ts';
import { formatCredits } from '../shell/numbers.ts';
import { toKeptForm } from './policy-form.ts';
import { FORM_ACTIONS, parseEnvironment } from './target-buttons.ts';

/** The block id. */
const CLASS_FIELD = 'class';

export type ClassEnvironment = { environmentId: string; name: string };

/** Further names are only counted. */
const MAX_NAMES = 20;

/** `initial`: the class to preselect. */
export function buildClassForm(
  environments: readonly ClassEnvironment[],
  { policy, now, initial }: { policy: Policy; now: number; initial: string | undefined },
): FormWindow {
  const classes = listClasses(policy).slice(0, MAX_OPTIONS);
  const chosen = classes.find((name) => name.toLowerCase() === initial?.toLowerCase());
  const says = classes.map((className) => {
    const standard = readEntry(policy, 'standard', { className }, now)?.value;
    return `*${toMrkdwnName(className, 40)}*: ${toMrkdwnName(standard === undefined ? 'nothing' : describeValue('standard', standard), 300)}`;
  });
  return {
    submit: environments.length === 1 ? 'Set class' : `Set class of ${formatCredits(environments.length)}`,
    blocks: [
      ...fitBlocks([buildSection(describeEnvironments(environments, policy, now)), buildSection(fitLines(says))]),
      buildChoice(
        'static_select',
        { name: CLASS_FIELD, label: 'Class', hint: HINT },
        classes.map((name) => [name, name]),
        chosen,
      ),
    ],
  };
}

const HINT = 'The values of the class are approved from then on, and set where they differ.';

function describeEnvironments(environments: readonly ClassEnvironment[], policy: Policy, now: number): string {
  const names = environments.map(({ environmentId, name }) => {
    const className = readClass(policy, environmentId, now);
    const present = className === undefined ? 'no class' : toMrkdwnName(className, 40);
    return `${describeEnvironment(environmentId, name)} (${present})`;
  });
  return shortenLines(joinNames(names, MAX_NAMES), SECTION_LIMIT);
}

export const CLASS_FORM = toKeptForm<ClassEnvironment[], string>({
  callbackId: 'form_class_set',
  topic: { id: 'form_class', title: 'Class', loading: 'Looking up the classes…' },
  working: 'Looking up what would change…',
  tooOld: 'This is too old, so nothing was changed. Open it again.',
  button: opensForm(FORM_ACTIONS.class, parseEnvironment, (environment, opened, services) =>
    openClassForm(opened, [environment], undefined, services),
  ),
  decision: { hasUntil: true, approver: 'maybe' },
  read(fields) {
    const className = fields.chosen(CLASS_FIELD);
    return className === undefined ? { errors: { [CLASS_FIELD]: 'Choose a class.' } } : { filled: className };
  },
  toEdits: (environments, className, until) => ({
    edits: environments.map(({ environmentId }) => setEdit('class', { environmentId }, className, until)),
    isUnseen: ({ length }) => length > 0,
  }),
});

const NO_CLASSES =
  'The policy has no class yet. Draft it with /assistant-admin review, or import one with /assistant-admin policy.';

/** `className`: the class to preselect. */
export async function openClassForm(
  opened: Pick<Opened, 'modal' | 'openSession' | 'replyTo'>,
  environments: readonly ClassEnvironment[],
  className: string | undefined,
  services: GovernanceServices,
): Promise<void> {
  // The change needs a sign-in, so check for it before anybody fills in the form.
  await opened.openSession();
  const { policy } = await services.policy.read();
  if (listClasses(policy).length === 0) return opened.modal.showProblem(NO_CLASSES);
  const named = environments.map(({ environmentId, name }) => ({ environmentId, name }));
  const window = buildClassForm(named, { policy, now: services.now(), initial: className });
  await showForm(CLASS_FORM, { state: named, ...window }, opened, services);
}
