// `/assistant-admin policy import`: takes a file, and shows what it changes as a plan.
import { createHash } from 'node:crypto';
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { AuditEntry } from '../../audit/audit-log.ts';
import { english } from '../../languages/english.ts';
import { isForeign, ofInstallation } from '../../policy/policy.ts';
import { buildSection, fitBlocks, toMrkdwnLine, toMrkdwnName } from '../../slack/views/content.ts';
import { buildField, readFields } from '../../slack/views/fields.ts';
import { buildModal, type ModalTopic } from '../../slack/views/modal.ts';
import { isMany } from '../plan/plan.ts';
import type { Proposal } from '../run/engine.ts';
import { showPlan } from '../run/plan-form.ts';
import type { GovernanceServices } from '../services.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { AdminShell, Answer, Submission } from '../shell/admin-shell.ts';
import { buildLines, cutLines, fitLines } from '../shell/blocks.ts';
import { buildEndModal, type Modal, type Opened, toProblem } from '../shell/modal.ts';
import { parseState } from '../shell/modal-state.ts';
import { formatCount } from '../shell/numbers.ts';
import type { DocumentProblem } from './document-problems.ts';
import { type Import, readAgentIds, readImport } from './import-document.ts';
import { findSharedFile, readPolicyFile, type SharedFile, toChosenFile } from './slack-policy-file.ts';

/** Slack sends submissions under this name: never rename. */
const IMPORT_MODAL = 'policy_import';

export const IMPORT_TOPIC: ModalTopic = { id: IMPORT_MODAL, title: 'Import a policy', loading: 'Opening…' };

const FILE_FIELD = 'file';

const INTRO =
  'Choose an exported policy that you have edited. You see what it changes before anything happens. Entries that the file leaves out end. A register of an earlier release works, too.';

const NO_FILE = 'Choose a file.';

const OUT_OF_DATE = 'This window is too old, so nothing was changed. Give the command again.';

const stateSchema = z.object({
  replyTo: z.string(),
  shared: z.object({ id: z.string(), name: z.string() }).optional(),
});

/** A file that was shared in the direct messages need not be chosen again. `fileId`: which one; undefined: the last one. */
export async function openImport(
  fileId: string | undefined,
  { modal, caller, replyTo }: Opened,
  services: GovernanceServices,
): Promise<void> {
  await modal.show(buildImportForm(await findSharedFile(caller, fileId, services), replyTo));
}

export function buildImportForm(shared: SharedFile | undefined, replyTo: string): ModalView {
  const state: z.infer<typeof stateSchema> = {
    replyTo,
    ...(shared && { shared: { id: shared.id, name: shared.name.slice(0, 200).toWellFormed() } }),
  };
  const note = shared && `If you choose none, I take *${toMrkdwnName(shared.name, 100)}*, which you sent me.`;
  const frame = { id: IMPORT_MODAL, title: IMPORT_TOPIC.title, submit: 'Look at it', metadata: JSON.stringify(state) };
  const input = { type: 'file_input' as const, filetypes: ['yaml', 'yml', 'text', 'txt'], max_files: 1 };
  const file = buildField({ name: FILE_FIELD, label: 'File', isOptional: shared !== undefined }, input);
  return buildModal(frame, [buildSection(INTRO), ...(note ? [buildSection(note)] : []), file], english);
}

export function registerImport(shell: AdminShell, services: GovernanceServices): void {
  shell.onSubmission(
    { callbackId: IMPORT_MODAL, topic: IMPORT_TOPIC, check: { isFresh: true, isForAll: true } },
    async (submission) => submit(submission, services),
  );
}

function submit(submission: Submission, services: GovernanceServices): Answer {
  const { view } = submission;
  const state = parseState(stateSchema, view.private_metadata);
  if (!state) return { answer: toProblem(OUT_OF_DATE, IMPORT_TOPIC) };
  const file = toChosenFile(readFields(view).files(FILE_FIELD)) ?? state.shared;
  if (!file) return { answer: { response_action: 'errors', errors: { [FILE_FIELD]: NO_FILE } } };
  const reading = buildEndModal(`${IMPORT_MODAL}_reading`, IMPORT_TOPIC.title, [buildSection('Reading the file…')]);
  return {
    answer: { response_action: 'update', view: reading },
    async afterwards() {
      const { modal } = submission.toPlace(state.replyTo, { isWatched: true });
      await importFile(file, { ...submission, modal, replyTo: state.replyTo }, services).catch(modal.showFailure);
    },
  };
}

type Importing = Pick<Submission, 'caller' | 'openSession'> & { modal: Modal; replyTo: string };

async function importFile(file: SharedFile, importing: Importing, services: GovernanceServices): Promise<void> {
  const { modal, caller, openSession, replyTo } = importing;
  const read = await readPolicyFile(file, caller, services);
  if ('sentence' in read) return modal.show(buildOutcome([read.sentence]));
  const policy = ofInstallation((await services.policy.read()).policy, caller.workspace);
  const found = await readImport(read.text, policy, {
    isOurs: (target) => !isForeign(target, caller.workspace),
    currency: services.currency,
    now: services.now(),
    readInventory: async () => readAgentIds(await openSession()),
  });
  if ('problems' in found) return modal.show(buildOutcome(describeProblems(found.problems, file)));
  if (found.edits.length === 0) {
    const already = `The policy says all of this already: revision ${policy.revision}.`;
    return modal.show(buildOutcome([already, ...describeNotes(found.notes)]));
  }
  const proposal = await services.engine.propose(found.edits, { caller, openSession });
  await services.audit.append(toEntry(proposal, read.text, caller, services.now()));
  const all = Object.keys(policy.entries).length;
  await showPlan({ modal, caller, replyTo }, withImport(proposal, found, { file, all }), services);
}

/** Says which file the edits come from. Whether they were carried out is in the entries of the plan. */
function toEntry({ plan }: Proposal, text: string, { team, workspace, user }: Caller, at: number): AuditEntry {
  const sha256 = createHash('sha256').update(text, 'utf8').digest('hex');
  return {
    ...{ schema: 1, at, what: 'policy_imported', who: { user }, team, workspace, subject: { planId: plan.id } },
    ...{ policy: plan.policy, after: { sha256, changes: plan.edits.length }, outcome: { kind: 'begun' } },
    requestIds: [],
  };
}

/** `all`: how many entries the policy has. A file that is incomplete by mistake would end most of them. */
function withImport(proposal: Proposal, found: Import, { file, all }: { file: SharedFile; all: number }): Proposal {
  const { ended, behind } = found;
  const typed = proposal.typed ?? (isMany(ended, all) ? ended : undefined);
  return {
    ...proposal,
    ...(typed !== undefined && { typed }),
    warnings: [...describeImport(found, file), ...proposal.warnings],
    isGrave: proposal.isGrave || ended > 0 || behind > 0,
  };
}

/** Mrkdwn. */
export function describeImport({ edits, ended, behind, notes }: Import, { name }: Pick<SharedFile, 'name'>): string[] {
  const changed = formatCount(edits.length, 'change');
  return [
    `*${toMrkdwnName(name, 100)}*: ${changed} of the policy.`,
    ...(ended > 0
      ? [
          `*${formatCount(ended, 'entry', 'entries')}* ${ended === 1 ? 'ends' : 'end'}: the file does not have ${ended === 1 ? 'it' : 'them'}.`,
        ]
      : []),
    ...(behind > 0 ? [`The file is ${formatCount(behind, 'revision')} old: later decisions are undone as well.`] : []),
    ...describeNotes(notes),
  ];
}

/** Mrkdwn. */
function describeNotes(notes: readonly string[]): string[] {
  return notes.length === 0 ? [] : [fitLines(notes.map((note) => `• ${toMrkdwnLine(note, 300)}`))];
}

/** Mrkdwn. */
function describeProblems(problems: readonly DocumentProblem[], { name }: Pick<SharedFile, 'name'>): string[] {
  const title = `*${toMrkdwnName(name, 100)}* has ${formatCount(problems.length, 'mistake')}, so nothing was changed:`;
  return [title, ...problems.map(({ line, sentence }) => `• Line ${line}: ${toMrkdwnLine(sentence, 300)}`)];
}

/** A window has no room for more. The rest appears once these are corrected. */
const MAX_LINES = 60;

function buildOutcome(lines: readonly string[]): ModalView {
  return buildEndModal(`${IMPORT_MODAL}_end`, IMPORT_TOPIC.title, fitBlocks(buildLines(cutLines(lines, MAX_LINES))));
}
