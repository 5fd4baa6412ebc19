import { isIP } from 'node:net';
import { Cron } from 'croner';
import { IANAZone } from 'luxon';

/**
 * Reads one variable's text. Throws an Error whose message completes the sentence "NAME …". It never contains the value,
 * because somebody may have pasted a secret into any variable.
 */
export type ReadValue<T> = (text: string) => T;

export const text: ReadValue<string> = (value) => value;

/** A value that needs no encoding in a path or a query. */
export const word: ReadValue<string> = (value) => {
  if (/^[\w.~-]+$/.test(value)) return value;
  throw new Error("has to be one word of letters, digits, '.', '_', '~' or '-'");
};

/** The form in which it is sent: https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
export const accessToken: ReadValue<string> = (value) => {
  if (/^[\w.~+/-]+=*$/.test(value)) return value;
  throw new Error('has to be an access token alone, without `Bearer` in front');
};

/** Patterns of Slack's values. They help to say what a wrong value is, without showing it. */
const SLACK_VALUES: [RegExp, string][] = [
  [/^xoxb-/, 'a bot token (xoxb-…)'],
  [/^xapp-/, 'an app-level token (xapp-…)'],
  [/^xoxp-/, 'a user token (xoxp-…)'],
  [/^xoxe[.-]/, 'a token that rotates (xoxe…), for which SLACK_BOT_TOKEN has to be left out'],
  [/^\d+\.\d+$/, 'a client id'],
  [/^[0-9a-f]{32}$/i, 'a signing secret or a client secret'],
  [/^[A-Za-z0-9]{24}$/, 'a verification token'],
];

function refuseSlackValue(value: string, wanted: string): never {
  const [, found] = SLACK_VALUES.find(([pattern]) => pattern.test(value)) ?? [];
  throw new Error(found ? `looks like ${found}. It has to be ${wanted}` : `has to be ${wanted}`);
}

/** Slack documents no form for it: only what is known to be something else is refused. */
export const signingSecret: ReadValue<string> = (value) => {
  const isOther = SLACK_VALUES.some(([pattern]) => pattern.test(value));
  if (/^[0-9a-f]{32}$/i.test(value) || (!isOther && /^\S+$/.test(value))) return value;
  return refuseSlackValue(value, 'what Basic Information → App Credentials → Signing Secret shows');
};

export const botToken: ReadValue<string> = (value) => {
  if (value.startsWith('xoxb-')) return value;
  return refuseSlackValue(value, 'the xoxb-… of OAuth & Permissions → Bot User OAuth Token');
};

export const appToken: ReadValue<string> = (value) => {
  if (value.startsWith('xapp-')) return value;
  return refuseSlackValue(value, 'the xapp-… of Basic Information → App-Level Tokens');
};

/** One of the given words. */
export function oneOf<const T extends string>(...words: T[]): ReadValue<T> {
  return (value) => {
    const word = words.find((candidate) => candidate === value);
    if (word === undefined) throw new Error(`has to be one of: ${words.join(', ')}`);
    return word;
  };
}

export function wholeNumber(from: number, to: number): ReadValue<number> {
  return (value) => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= from && number <= to) return number;
    throw new Error(`has to be a whole number from ${from} to ${to}`);
  };
}

/** A URL without a trailing slash. Plain http on loopback only, because tokens and secrets are sent there. */
export const address: ReadValue<string> = (value) => {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Error('has to be an https address, such as https://bridge.example.com');
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new Error('is an http address; plain http is accepted on loopback only, use https');
  }
  // Paths are appended to it.
  if (/[?#]/.test(value) || url.username || url.password)
    throw new Error('has to be an address without a user, a ? or a #');
  return value.replace(/\/+$/, '');
};

/** An address without a path: `/slack` and `/link` are right below it. */
export const siteAddress: ReadValue<string> = (value) => {
  const read = address(value);
  if (new URL(read).pathname === '/') return read;
  throw new Error('has a path, and the app has to have a host name of its own, such as https://bridge.example.com');
};

/** An IP address to listen on, or `*`. */
export const ownAddress: ReadValue<string> = (value) => {
  if (value === '*' || isIP(value)) return value;
  throw new Error('has to be an IP address of this machine, such as 127.0.0.1, or * for all of them');
};

/** The address of a proxy, perhaps with a user and a password, percent-encoded. */
export const proxyAddress: ReadValue<string> = (value) => {
  const url = URL.parse(value);
  if (url && /^https?:$/.test(url.protocol) && /^\/?$/.test(url.pathname) && !/[?#]/.test(value)) {
    if (isDecodable(url.username) && isDecodable(url.password)) return url.href;
    throw new Error('has a % in its user or password that is not percent-encoded; write it as %25');
  }
  throw new Error('has to be the address of an HTTP proxy, such as http://user:password@proxy.example:3128');
};

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

/** Compared exactly: a trailing slash matters. */
export const issuer: ReadValue<string> = (value) => {
  if (/^\S+$/.test(value)) return value;
  throw new Error('has to be one word, such as https://login.example/tenant/v2.0');
};

/** Hosts separated by commas; a leading dot means all subdomains. */
export const hosts: ReadValue<string[]> = (value) => {
  const entries = list(value);
  // In the form of URLs: without the default port, and with punycode (xn--…) for other letters.
  const wrong = entries.findIndex((entry) => {
    const host = entry.replace(/^\./, '').toLowerCase();
    return host.includes('*') || URL.parse(`https://${host}`)?.host !== host;
  });
  if (wrong === -1) return entries;
  throw new Error(`entry ${wrong + 1} is no host, such as acme.example or .acme.example`);
};

/** `redis:` is without TLS, for private networks; `rediss:` is with TLS. */
export const redisAddress: ReadValue<string> = (value) => {
  const url = URL.parse(value);
  if (url && /^rediss?:$/.test(url.protocol) && url.hostname && /^(\/\d*)?$/.test(url.pathname)) return value;
  throw new Error('has to be an address such as redis://user:password@host:6379, perhaps with /1 for a database');
};

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Words separated by commas. */
const list: ReadValue<string[]> = (value) =>
  value
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);

/** Ids of Slack teams and enterprises, separated by commas. */
export const teamIds: ReadValue<string[]> = (value) => {
  const ids = list(value);
  const wrong = ids.findIndex((id) => !/^[TE][A-Z0-9]+$/.test(id));
  if (wrong === -1) return ids;
  throw new Error(`entry ${wrong + 1} is no team or enterprise id (T… or E…)`);
};

export const timeZone: ReadValue<string> = (value) => {
  if (IANAZone.isValidZone(value)) return value;
  throw new Error(`has to be an IANA time zone such as Europe/Berlin`);
};

/** Text in PEM form. `\n` may stand for line breaks, because many secret stores do not allow them. */
export const pem: ReadValue<string> = (value) => value.replaceAll('\\n', '\n');

/** A cron pattern of five fields, or six with seconds first, for trying it out. */
export const cronPattern: ReadValue<string> = (value) => {
  const next = findNextRun(value);
  if (next instanceof Date) return value;
  if (next === null) throw new Error(`names a time that never comes`);
  throw new Error(`has to be five fields of cron, such as '0 7 * * 1-5', or six with seconds first`);
};

/** Null: never. Undefined: not a valid pattern. */
function findNextRun(pattern: string): Date | null | undefined {
  try {
    return new Cron(pattern, { mode: '5-or-6-parts' }).nextRun();
  } catch {
    return undefined;
  }
}

export type TeamPlace = { team: string; id: string };

/** A channel or a user of one team: the team's id, a colon, and the id of the channel or user. */
export const teamPlace: ReadValue<TeamPlace> = (value) => {
  const [, team, id] = /^([TE][A-Z0-9]+):([CGUW][A-Z0-9]+)$/.exec(value) ?? [];
  if (team === undefined || id === undefined) {
    throw new Error(`has to be a team id, a colon, and the id in it, such as 'T0123:C0456'`);
  }
  return { team, id };
};

const MAX_LEVELS = 10;

/** Levels of consumption in percent, separated by commas. Each once, the highest first. `none`: an empty list. */
export const percentLevels: ReadValue<number[]> = (value) => {
  if (value.trim() === 'none') return [];
  const words = list(value);
  const levels = new Set(words.map(Number));
  const areLevels = words.every((word) => /^[1-9]\d*$/.test(word) && Number(word) <= 1_000);
  if (areLevels && levels.size > 0 && levels.size <= MAX_LEVELS) return [...levels].sort((one, other) => other - one);
  throw new Error(`has to be up to ${MAX_LEVELS} whole numbers from 1 to 1000, such as 80,100, or none`);
};
