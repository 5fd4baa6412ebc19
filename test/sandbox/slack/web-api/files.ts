import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Reply, toRedirect, toText } from '../../loopback/reply.ts';
import { readSession, type SignedIn } from '../browser-session.ts';
import { toHostedFile } from '../people/files.ts';
import { postAppMessage } from '../post-message.ts';
import type { Json } from '../records.ts';
import type { World } from '../world.ts';
import type { Exchange } from './answer-call.ts';
import { existingRoot, postableChannel } from './membership.ts';
import { type Method, method, number, objects, SlackApiError, text } from './method.ts';

export const FILES: Record<string, Method> = {
  'files.info': method(
    ['files:read'],
    { file: text, cursor: text.optional(), limit: number.optional() },
    (given, world) => {
      const found = world.workspace.files.get(given.file);
      if (!found) throw new SlackApiError('file_not_found');
      return { file: found.file, comments: [], response_metadata: { next_cursor: '' } };
    },
  ),

  // https://docs.slack.dev/reference/methods/files.getUploadURLExternal
  'files.getUploadURLExternal': method(
    ['files:write'],
    {
      filename: text.min(1),
      length: number.int().min(1),
      alt_txt: text.optional(),
      snippet_type: text.optional(),
    },
    ({ filename, length }, world) => {
      const id = world.workspace.identifiers.next('F');
      const key = randomUUID();
      world.workspace.uploads.set(id, { key, name: filename, length, content: undefined });
      return { upload_url: `${world.url}/upload/v1/${key}`, file_id: id };
    },
  ),

  // Each upload is completed once. https://docs.slack.dev/reference/methods/files.completeUploadExternal
  'files.completeUploadExternal': method(
    ['files:write'],
    {
      files: objects,
      channel_id: text.optional(),
      initial_comment: text.optional(),
      thread_ts: text.optional(),
    },
    (given, world) => {
      const found = given.files.map(({ id, title }) => ({
        id: String(id),
        title: title === undefined ? undefined : String(title),
      }));
      const files = found.map((file) => completeUpload(world, file));
      if (given.channel_id !== undefined) share(world, files, { ...given, channel: given.channel_id });
      for (const { id } of found) world.workspace.uploads.delete(id);
      return { files: found };
    },
  ),
};

function completeUpload(world: World, { id, title }: { id: string; title: string | undefined }): Json {
  const upload = world.workspace.uploads.get(id);
  if (upload?.content === undefined) throw new SlackApiError('file_not_found');
  const { name, content } = upload;
  return toHostedFile(world, { id, name, title: title ?? name, user: world.workspace.app.botUserId }, content);
}

type Shared = { channel: string; initial_comment?: string | undefined; thread_ts?: string | undefined };

function share(world: World, files: Json[], { channel: id, initial_comment, thread_ts }: Shared): void {
  // Unlike chat.postMessage it takes no person in place of a channel.
  if (world.workspace.users.has(id)) throw new SlackApiError('channel_not_found');
  const channel = postableChannel(world, id);
  if (thread_ts !== undefined) existingRoot(world, channel.id, thread_ts);
  postAppMessage(world, {
    channel: channel.id,
    text: initial_comment ?? '',
    blocks: [],
    subtype: 'file_share',
    files,
    threadTs: thread_ts,
  });
}

/** What is posted to an `upload_url`, as raw bytes and without a token. */
function answerUpload(main: World, key: string, body: string): Reply {
  const content = Buffer.from(body);
  const upload = main
    .teams()
    .flatMap(({ workspace }) => [...workspace.uploads.values()].filter((one) => one.key === key))[0];
  const record = main.ledger.startCall('upload_url', { bytes: content.length });
  record.status = !upload ? 404 : upload.length === content.length ? 200 : 400;
  if (upload && record.status === 200) upload.content = content;
  return toText(record.status, record.status === 200 ? `OK - ${content.length}` : 'upload_failed');
}

/** Downloads and uploads of files. Undefined: the path is none of theirs. */
export function answerFile(main: World, path: string, { request, body }: Exchange): Reply | undefined {
  const [, place, key = '', name = ''] = path.split('/');
  if (place === 'files-pri') return answerDownload(main, request);
  return place === 'upload' && key === 'v1' ? answerUpload(main, name, body) : undefined;
}

/**
 * `url_private`: with the bot token and `files:read`, or in the browser of somebody who sees a message with the file.
 * Everybody else is led to the page for signing in.
 */
function answerDownload(main: World, request: IncomingMessage): Reply {
  const [, , id = ''] = (request.url ?? '').split('/');
  const token = request.headers.authorization?.replace(/^Bearer /i, '') ?? '';
  const install = main.installs.byToken(token);
  const isApp = install && !install.ended && main.registration.scopes.has('files:read');
  const isAllowed = isApp || isShown(readSession(main, request.headers.cookie), id);
  const record = main.ledger.startCall('url_private', { id }, install?.id);
  record.status = isAllowed ? 200 : 302;
  if (!isAllowed) return toRedirect(`${main.url}/?redir=${encodeURIComponent(request.url ?? '')}`);
  const found = main.teams().flatMap(({ workspace }) => workspace.files.get(id) ?? [])[0];
  if (!found) return { status: 404, body: '<!doctype html>gone' };
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: found.content };
}

function isShown(reader: SignedIn | undefined, file: string): boolean {
  const { messages, channels } = reader?.world.workspace ?? {};
  const isIn = (channel: string) => channels?.get(channel)?.members.has(reader?.user.id ?? '') === true;
  const holders = messages?.all().filter(({ files = [] }) => files.some(({ id }) => id === file)) ?? [];
  return holders.some(({ channel }) => isIn(channel));
}
