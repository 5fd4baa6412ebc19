// Files in Slack: text files are read, and sent.
import type { Upload, UploadRefusal } from '../conversation/question.ts';
import { TransientError } from '../errors.ts';
import type { Installation } from './installation.ts';
import type { Uses } from './services.ts';
import { readUploads } from './text-in/shared-files.ts';
import { asRepeatable, isSlackError, patiently, SlackRefusedError, SlackUnavailableError } from './web/slack-errors.ts';

type TextFile = { name: string; text: string };

export type TextFiles = {
  read: (TextFile & { id: string })[];
  refused: { id: string; why: UploadRefusal }[];
};

type Needs = Uses<'http' | 'call' | 'apiUrl'>;

/** Each costs a download. For more texts, people can use the document library. */
const MAX_FILES = 3;

/** In bytes. Far more than we quote from a file, and small enough to keep in memory. */
const MAX_SIZE = 200_000;

const TIMEOUT_MS = 5_000;

/** Reads text files uploaded to Slack, with the bot token. Never throws: what cannot be read is refused with a reason. */
export async function readTextFiles(
  uploads: readonly Upload[],
  installation: Installation,
  ports: Needs,
): Promise<TextFiles> {
  const files: TextFiles = { read: [], refused: [] };
  const wanted = uploads.slice(0, MAX_FILES);
  const all = await Promise.all(wanted.map((upload) => readOne(upload, installation, ports)));
  for (const [index, found] of all.entries()) {
    const id = wanted[index]?.id ?? '';
    if (typeof found === 'string') files.refused.push({ id, why: found });
    else files.read.push({ ...found, id });
  }
  files.refused.push(...uploads.slice(MAX_FILES).map(({ id }) => ({ id, why: 'number' as const })));
  return files;
}

async function readOne(upload: Upload, installation: Installation, ports: Needs): Promise<TextFile | UploadRefusal> {
  try {
    const file = upload.url ? upload : await lookUp(upload, installation, ports);
    return typeof file === 'string' ? file : await download(file, installation, ports, MAX_SIZE);
  } catch {
    return 'unreachable';
  }
}

/** For files in shared channels, an event has only the id: `file_access: 'check_file_info'`. */
async function lookUp({ id }: Upload, { workspace }: Installation, { call }: Needs): Promise<Upload | UploadRefusal> {
  try {
    const { file } = await call('files.info', workspace, { file: id }, 'notice');
    return readUploads([{ ...file, file_access: 'visible' }])[0] ?? 'form';
  } catch (error) {
    return isSlackError(error, 'missing_scope') ? 'scope' : 'unreachable';
  }
}

export type ReadFile = (
  from: { workspace: string; file: string },
  maxBytes: number,
) => Promise<TextFile | { refused: UploadRefusal }>;

/** Reads a text file that is kept by Slack, by its id. Never throws: what cannot be read is refused with a reason. */
export function createReadFile(ports: Uses<'call' | 'http' | 'apiUrl' | 'findInstallation'>): ReadFile {
  return async ({ workspace, file: id }, maxBytes) => {
    try {
      const installation = await ports.findInstallation(workspace);
      // Do not rely on what a payload says about a file.
      const { file = {} } = await ports.call('files.info', workspace, { file: id });
      const { name = '', url_private: url, size } = file as { name?: string; url_private?: string; size?: number };
      const read = await download({ name, url, size }, installation, ports, maxBytes);
      return typeof read === 'string' ? { refused: read } : read;
    } catch (error) {
      return { refused: isSlackError(error, 'missing_scope') ? 'scope' : 'unreachable' };
    }
  };
}

/** Reads UTF-8. Throws what the request throws. */
async function download(
  { name, url = '', size = 0 }: { name: string; url?: string | undefined; size?: number | undefined },
  { botToken }: Pick<Installation, 'botToken'>,
  { http, apiUrl }: Uses<'http' | 'apiUrl'>,
  maxBodyBytes: number,
): Promise<TextFile | UploadRefusal> {
  if (size > maxBodyBytes) return 'size';
  // Never send the token to another host, even if a payload names one.
  if (!isFileHost(url, apiUrl)) return 'unreachable';
  const response = await http.send({
    method: 'GET',
    url,
    subject: 'file',
    circuit: 'files',
    headers: { authorization: `Bearer ${botToken}` },
    totalTimeoutMs: TIMEOUT_MS,
    maxBodyBytes,
  });
  // Without the scope to read files, Slack redirects to its sign-in page, or answers with it.
  if (response.status >= 300 && response.status < 404) return 'scope';
  if (response.status !== 200) return 'unreachable';
  const text = await response.text();
  // A file may be a page, too.
  if (Buffer.byteLength(text) !== size && isPage(response.headers['content-type'], text)) return 'scope';
  return isText(text) ? { name, text } : 'form';
}

function isPage(contentType: unknown, text: string): boolean {
  return String(contentType).includes('text/html') || /^\s*<!doctype html/i.test(text);
}

/** The decoder replaces invalid UTF-8 by U+FFFD. */
function isText(text: string): boolean {
  return !text.includes('\ufffd') && !text.includes('\0');
}

/** `name`: with its extension. `comment`: the text above the file, in mrkdwn. */
type OutgoingFile = { name: string; content: string; comment: string };

/**
 * Sends a text file in the direct messages between the app and a person. Throws SlackRefusedError (`missing_scope` where
 * the installation may not write files), a TransientError if nothing was sent, UnknownWorkspaceError, and
 * OutcomeUnknownError if the file may have been sent.
 */
export type SendFile = (recipient: { workspace: string; user: string }, file: OutgoingFile) => Promise<void>;

const UPLOAD_TIMEOUT_MS = 60_000;

const PATIENCE = { attempts: 4, leastMs: 2_000, longestMs: 60_000, kind: TransientError };

/** https://docs.slack.dev/messaging/working-with-files#upload */
export function createSendFile(ports: Uses<'call' | 'http' | 'apiUrl' | 'channels'>): SendFile {
  return async ({ workspace, user }, file) => {
    const channel = await ports.channels.directMessage(workspace, user);
    const id = await patiently(() => upload(file, workspace, ports), PATIENCE);
    // Slack accepts this once per upload. Repeat it only if it was certainly not done.
    const complete = () =>
      ports.call('files.completeUploadExternal', workspace, {
        files: [{ id, title: file.name }],
        channel_id: channel,
        initial_comment: file.comment,
      });
    await patiently(complete, PATIENCE);
  };
}

/** Returns the id of the file. Nobody sees it yet, and Slack drops it if the upload is not completed: safe to repeat. */
async function upload(
  { name, content }: OutgoingFile,
  workspace: string,
  { call, http, apiUrl }: Needs,
): Promise<string> {
  const toFailure = asRepeatable('files upload');
  const length = Buffer.byteLength(content);
  const { upload_url: url = '', file_id: id = '' } = await call('files.getUploadURLExternal', workspace, {
    filename: name,
    length,
  }).catch(toFailure);
  // Never send the content to another host, even if Slack's answer names one.
  if (!isFileHost(url, apiUrl)) throw new SlackRefusedError('files upload', 'unknown_host');
  const request = {
    method: 'POST',
    url,
    subject: 'file',
    circuit: 'files',
    headers: { 'content-type': 'application/octet-stream' },
    body: content,
    totalTimeoutMs: UPLOAD_TIMEOUT_MS,
  } as const;
  const { status } = await http.send(request).catch(toFailure);
  if (status >= 500 || status === 429) throw new SlackUnavailableError('files upload');
  if (status !== 200) throw new SlackRefusedError('files upload', `status_${status}`);
  return id;
}

/** Slack's own file hosts: https://docs.slack.dev/reference/objects/file-object */
const FILE_HOSTS = new Set(['https://files.slack.com', 'https://files.slack-gov.com']);

/** Whether an address is at a file host of Slack, or at the origin of SLACK_API_URL: no other host gets tokens or files. */
export function isFileHost(url: string, apiUrl: string): boolean {
  const { origin = '' } = URL.parse(url) ?? {};
  return FILE_HOSTS.has(origin) || origin === new URL(apiUrl).origin;
}
