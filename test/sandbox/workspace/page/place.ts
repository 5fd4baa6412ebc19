/** Where somebody is in the workspace, as the part of the address after `#`: `U0ANA/C0GENERAL/1700000000.000100`. */
export type Place = {
  person: string;
  /** A conversation's id, or `home`: the app's home tab. */
  channel: string;
  thread?: string | undefined;
};

const START: Place = { person: 'U0ANA', channel: 'C0GENERAL' };

export function readPlace(hash: string): Place {
  const [person = '', channel = '', thread] = hash.replace(/^#/, '').split('/').map(decodeURIComponent);
  if (person === '') return START;
  return { person, channel: channel || START.channel, ...(thread && { thread }) };
}

export function toHash({ person, channel, thread }: Place): string {
  return `#${[person, channel, ...(thread ? [thread] : [])].map(encodeURIComponent).join('/')}`;
}
