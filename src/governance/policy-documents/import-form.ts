// `/assistant-admin policy import`: takes a file that is chosen in the window, or was shared in the direct messages with the
// app shortly before, and shows what it changes as a plan.
import { createHash } from 'node:crypto';
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { AuditEntry } from '../../audit/audit-log.ts';
import type { Question } from '../../conversation/question.ts';
import { english } from '../../languages/english.ts';
import { isForeign, ofInstallation } from '../../policy/policy.ts';
import { buildSection, fitBlocks, toContent, toMrkdwnLine, toMrkdwnName } from '../../slack/views/content.ts';
import { buildField, readFields } from '../../slack/views/fields.ts';
import { buildModal, type ModalTopic } from '../../slack/views/modal.ts';
import { isMany } from '../plan/plan.ts';
import type { Proposal } from '../run/engine.ts';
import { showPlan } from '../run/plan-form.ts';
import type { GovernanceServices } from '../services.ts';
import { readRole } from '../shell/access.ts';
import type { Caller } from '../shell/admin-rules.ts';
import { type AdminShell, type Answer, buildCommandButton, type Submission } from '../shell/admin-shell.ts';
import { buildActions, buildLines, cutLines, fitLines } from '../shell/blocks.ts';
import { buildEndModal, type Modal, type Opened, toProblem } from '../shell/modal.ts';
import { parseState } from '../shell/modal-state.ts';
import { formatCount } from '../shell/numbers.ts';
import type { DocumentProblem } from './document-problems.ts';
import { type Import, readAgentIds, readImport, readInWorker } from './import-document.ts';
import { MAX_BYTES } from './read-document.ts';

type SharedFile = { id: string; name: string };

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
  const found = await readImport(await readInWorker(read.text), policy, {
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
function describeImport({ edits, ended, behind, notes }: Import, { name }: Pick<SharedFile, 'name'>): string[] {
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

const YAML = /\.ya?ml$/i;

/** A file that was shared longer ago is probably not the one that is meant. */
const SHARED_MS = 60 * 60_000;

const filesSchema = z.array(z.looseObject({ id: z.string(), name: z.string().default('') }));

const messagesSchema = z.array(
  z.looseObject({ ts: z.string(), user: z.string().optional(), files: filesSchema.optional().catch(undefined) }),
);

/** The person's file with this id, or their last one within an hour. Never rejects, because it is only a convenience. */
async function findSharedFile(
  { workspace, user }: Caller,
  id: string | undefined,
  { call, channels, now, log }: GovernanceServices,
): Promise<SharedFile | undefined> {
  try {
    const channel = await channels.directMessage(workspace, user);
    const look = id === undefined ? { oldest: String((now() - SHARED_MS) / 1_000), limit: 15 } : { limit: 200 };
    const { messages = [] } = await call('conversations.history', workspace, { channel, ...look });
    const own = messagesSchema.parse(messages).filter((message) => message.user === user);
    const files = own.flatMap((message) => message.files ?? []);
    return files.find((file) => YAML.test(file.name) && (id === undefined || file.id === id));
  } catch (error) {
    log.info({ err: error }, 'no shared file looked for');
    return undefined;
  }
}

/** From a field of type file_input: https://docs.slack.dev/reference/block-kit/block-elements/file-input-element */
function toChosenFile(files: unknown): SharedFile | undefined {
  return filesSchema.safeParse(files ?? []).data?.[0];
}

const REFUSED = {
  size: 'is longer than 4 MB, so nothing was read. Leave something out of it.',
  scope:
    'may not be read by this app, so nothing was done. Whoever runs it grants the scope `files:read`: paste the new manifest in Slack, save it, and install the app again.',
  form: 'is no text in UTF-8, so nothing was read.',
  number: 'could not be read.',
  unreachable: 'could not be read from Slack, so nothing was done. Try again in a few minutes.',
} as const;

/** The text of the file, or a sentence in mrkdwn about why there is none. */
async function readPolicyFile(
  { id, name }: SharedFile,
  { workspace }: Caller,
  { readFile }: Pick<GovernanceServices, 'readFile'>,
): Promise<{ text: string } | { sentence: string }> {
  const read = await readFile({ workspace, file: id }, MAX_BYTES);
  if ('refused' in read) return { sentence: `*${toMrkdwnName(name, 100)}* ${REFUSED[read.refused]}` };
  return { text: read.text };
}

// For a file that is sent without a command: offers `/assistant-admin policy import`.

/** Exported policies, and registers of an earlier release, have a line that begins with this. */
const POLICY = /^(?:entries|environments)[ \t]*:/m;

/**
 * False: it is no policy, or this person may not import it. If it cannot be read, says why. Throws if Slack does not take
 * the answer, or does not say who they are.
 */
export async function offerImport(
  { asker, workspace, channel, threadTs }: Question,
  { id, name }: SharedFile,
  services: Pick<GovernanceServices, 'auditors' | 'lookups' | 'messenger' | 'readFile' | 'rules'>,
): Promise<boolean> {
  const caller = { ...asker, workspace };
  if (!YAML.test(name) || (await readRole(caller, services)) !== 'admin') return false;
  const read = await readPolicyFile({ id, name }, caller, services);
  if ('text' in read && !POLICY.test(read.text)) return false;
  const offer = `*${toMrkdwnName(name, 100)}* is a policy. You see what it changes before anything happens.`;
  const actions = buildActions([buildCommandButton('Look at it…', `policy import ${id}`, 0)]);
  const blocks = 'sentence' in read ? [buildSection(read.sentence)] : [buildSection(offer), ...actions];
  await services.messenger.post({ workspace, channel, threadTs }, toContent(blocks));
  return true;
}
