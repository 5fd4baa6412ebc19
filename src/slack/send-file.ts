import { TransientError } from '../errors.ts';
import type { Uses } from './services.ts';
import { isFileHost } from './web/file-hosts.ts';
import { patiently, SlackRefusedError, SlackUnavailableError, toRepeatable } from './web/slack-errors.ts';

/** `name`: with its extension. `comment`: the text above the file, in mrkdwn. */
type OutgoingFile = { name: string; content: string; comment: string };

/**
 * Sends a text file in the direct messages between the app and a person. Throws SlackRefusedError (`missing_scope` where
 * the installation may not write files), a TransientError if nothing was sent, UnknownWorkspaceError, and
 * OutcomeUnknownError if the file may have been sent.
 */
export type SendFile = (recipient: { workspace: string; user: string }, file: OutgoingFile) => Promise<void>;

type Used = Uses<'call' | 'http' | 'apiUrl' | 'channels'>;

const UPLOAD_TIMEOUT_MS = 60_000;

const PATIENCE = { attempts: 4, leastMs: 2_000, longestMs: 60_000, kind: TransientError };

/** https://docs.slack.dev/messaging/working-with-files#upload */
export function createSendFile(ports: Used): SendFile {
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
  { call, http, apiUrl }: Used,
): Promise<string> {
  const toFailure = (error: unknown) => {
    throw toRepeatable('files upload', error);
  };
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
