import type { Json } from '../records.ts';
import type { World } from '../world.ts';

/** A file beside a message: uploaded to Slack, or (`url`) one that lives elsewhere and is only shared. */
export type SharedFile =
  | {
      name: string;
      url?: string;
      externalType?: string;
      /** What is in an upload. Without it the file is empty. */
      content?: string | Buffer;
      /** Written in Slack's own editor for snippets. */
      isSnippet?: boolean;
      /** Uploaded in a shared channel: events and messages say only which it is. */
      isFromConnect?: boolean;
    }
  | Json;

/** https://docs.slack.dev/reference/objects/file-object */
export function toSlackFile(world: World, userId: string, file: SharedFile): Json {
  if ('id' in file) return file;
  const id = world.workspace.identifiers.next('F');
  const name = String(file.name);
  const shared = describe({ id, name, title: name, user: userId });
  if (typeof file.url !== 'string') {
    const content = Buffer.isBuffer(file.content) ? file.content : Buffer.from(String(file.content ?? ''));
    const whole = toHostedFile(world, { id, name, title: name, user: userId }, content, file.isSnippet === true);
    if (!file.isFromConnect) return whole;
    return { id, user: userId, created: shared.created, mode: 'file_access', file_access: 'check_file_info' };
  }
  const permalink = toPermalink(world, shared);
  const external_type = String(file.externalType ?? 'gdrive');
  return { ...shared, mode: 'external', is_external: true, external_type, url_private: file.url, permalink };
}

type Named = { id: string; name: string; title: string; user: string };

/** A file that Slack keeps, and downloads lead to. */
export function toHostedFile(world: World, named: Named, content: Buffer, isSnippet = false): Json {
  const url_private = `${world.url}/files-pri/${named.id}/${encodeURIComponent(named.name)}`;
  const file = {
    ...describe(named),
    mode: isSnippet ? 'snippet' : 'hosted',
    is_external: false,
    external_type: '',
    size: content.length,
    url_private,
    permalink: toPermalink(world, named),
  };
  world.workspace.files.set(named.id, { file, content });
  return file;
}

function describe(named: Named) {
  const filetype = named.name.split('.').at(-1) ?? '';
  return { ...named, filetype, created: Math.floor(Date.now() / 1000) };
}

function toPermalink(world: World, { id, name, user }: Named): string {
  return `${world.url}/files/${user}/${id}/${encodeURIComponent(name)}`;
}
