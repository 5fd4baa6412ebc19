// The file of an import: chosen in the window, or shared in the direct messages with the app shortly before.
import { z } from 'zod';
import type { Question } from '../../conversation/question.ts';
import { buildSection, toContent, toMrkdwnName } from '../../slack/views/content.ts';
import type { GovernanceServices } from '../services.ts';
import { readRole } from '../shell/access.ts';
import type { Caller } from '../shell/admin-rules.ts';
import { buildCommandButton } from '../shell/admin-shell.ts';
import { buildActions } from '../shell/blocks.ts';
import { MAX_BYTES } from './read-document.ts';

export type SharedFile = { id: string; name: string };

const YAML = /\.ya?ml$/i;

/** A file that was shared longer ago is probably not the one that is meant. */
const SHARED_MS = 60 * 60_000;

const filesSchema = z.array(z.looseObject({ id: z.string(), name: z.string().default('') }));

const messagesSchema = z.array(
  z.looseObject({ ts: z.string(), user: z.string().optional(), files: filesSchema.optional().catch(undefined) }),
);

/** The person's file with this id, or their last one within an hour. Never rejects, because it is only a convenience. */
export async function findSharedFile(
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
export function toChosenFile(files: unknown): SharedFile | undefined {
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
export async function readPolicyFile(
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
 * False: it is no policy, or this person may not import it. Throws if Slack does not take the answer, or does not say who
 * they are.
 */
export async function offerImport(
  { asker, workspace, channel, threadTs }: Question,
  { id, name }: SharedFile,
  services: Pick<GovernanceServices, 'auditors' | 'lookups' | 'messenger' | 'readFile' | 'rules'>,
): Promise<boolean> {
  const caller = { ...asker, workspace };
  if (!YAML.test(name) || (await readRole(caller, services)) !== 'admin') return false;
  const read = await readPolicyFile({ id, name }, caller, services);
  if ('sentence' in read || !POLICY.test(read.text)) return false;
  const text = `*${toMrkdwnName(name, 100)}* is a policy. You see what it changes before anything happens.`;
  const actions = buildActions([buildCommandButton('Look at it…', `policy import ${id}`, 0)]);
  await services.messenger.post({ workspace, channel, threadTs }, toContent([buildSection(text), ...actions]));
  return true;
}
