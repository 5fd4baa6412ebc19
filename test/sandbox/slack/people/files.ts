import type { Json } from '../records.ts';
import type { World } from '../world.ts';

/** A file beside a message: uploaded to Slack, or (`url`) one that lives elsewhere and is only shared. */
export type SharedFile = { name: string; url?: string; externalType?: string } | Json;

/** https://docs.slack.dev/reference/objects/file-object */
export function toSlackFile(world: World, userId: string, file: SharedFile): Json {
  if ('id' in file) return file;
  const id = world.workspace.identifiers.next('F');
  const name = String(file.name);
  const shared = {
    id,
    name,
    title: name,
    user: userId,
    filetype: name.split('.').at(-1) ?? '',
    created: Math.floor(Date.now() / 1000),
  };
  const permalink = `${world.url}/files/${userId}/${id}/${encodeURIComponent(name)}`;
  if (typeof file.url !== 'string') {
    const url_private = `${world.url}/files-pri/${id}/${encodeURIComponent(name)}`;
    return { ...shared, mode: 'hosted', is_external: false, external_type: '', url_private, permalink };
  }
  const external_type = String(file.externalType ?? 'gdrive');
  return { ...shared, mode: 'external', is_external: true, external_type, url_private: file.url, permalink };
}
