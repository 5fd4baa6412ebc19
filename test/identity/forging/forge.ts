// Requests that no honest browser would send, mixed from everything that an attacker may have got hold of.
import { createSecret } from '../../../src/identity/secret.ts';
import type { Random } from '../../faults/random.ts';
import { ENDPOINTS, type Stage, type Trip } from './trip.ts';

export type Forged = {
  endpoint: Stage | 'undo';
  method: 'GET' | 'POST';
  fields: Record<string, string>;
  headers: Record<string, string>;
  /** Whose sign-in it ends: a wrong code with the right state and cookie, or a code that was brought with another state. */
  burns: readonly Trip[];
};

const ALL = Object.keys(ENDPOINTS) as (Stage | 'undo')[];

const NAMES: Readonly<Record<Stage | 'undo', string>> = {
  start: 'ticket',
  slack: 'state',
  account: 'state',
  confirm: 'draft',
  undo: 'undo',
};

const ORIGINS: readonly Record<string, string>[] = [
  { 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  { 'sec-fetch-site': 'same-site' },
  { origin: 'null' },
  {},
];

/** Undefined: chance made a request that is the next honest one of a trip, or that opens a page. */
export function forge(random: Random, trips: readonly Trip[]): Forged | undefined {
  const endpoint = random.pick(ALL);
  const isCallback = endpoint === 'slack' || endpoint === 'account';
  const owner = random.pick(trips);
  const secret = pickSecret(random, owner, endpoint);
  const cookieOwner = random.chance(0.75) ? random.pick(trips) : undefined;
  const site = random.pick(ORIGINS);
  const code = pickCode(random, trips);
  const isOwn = secret === owner.secrets[endpoint] && cookieOwner === owner;
  const fits = isCallback ? code === owner.codes[endpoint] : site['sec-fetch-site'] === 'same-origin';
  // A ticket is bound to no browser: whoever opens it begins a sign-in, which they cannot end.
  const begins = endpoint === 'start' && secret === owner.secrets.start;
  if (begins || (isOwn && fits)) return undefined;
  const decision: Record<string, string> =
    endpoint === 'confirm' ? { decision: random.pick(['connect', 'connect', 'connect', 'cancel', '']) } : {};
  const extra: Record<string, string> = isCallback ? { code } : decision;
  return {
    endpoint,
    method: isCallback ? 'GET' : 'POST',
    fields: { [NAMES[endpoint]]: secret, ...extra },
    headers: { ...site, ...pickCookie(random, cookieOwner) },
    burns:
      isOwn && isCallback ? trips.filter((trip) => trip === owner || Object.values(trip.codes).includes(code)) : [],
  };
}

/** That of the step, of another step, made up, or nearly right. */
function pickSecret(random: Random, { secrets }: Trip, endpoint: Stage | 'undo'): string {
  const right = secrets[endpoint];
  if (right !== undefined && random.chance(0.5)) return right;
  const another = random.pick(Object.values(secrets));
  return random.pick([another, createSecret(), another.slice(1), `${another.slice(0, -1)}A`, '', '../x']);
}

function pickCode(random: Random, trips: readonly Trip[]): string {
  return random.pick([...trips.flatMap(({ codes }) => Object.values(codes)), createSecret(), '']);
}

function pickCookie(random: Random, owner: Trip | undefined): Record<string, string> {
  const cookie = owner?.cookie();
  if (cookie !== undefined) return { cookie: `link=${cookie}` };
  return random.pick<Record<string, string>>([{}, { cookie: `link=${createSecret()}` }, { cookie: 'link=' }]);
}

export async function send(publicUrl: string, forged: Forged): Promise<number> {
  const url = new URL(publicUrl + ENDPOINTS[forged.endpoint]);
  const fields = new URLSearchParams(forged.fields);
  if (forged.method === 'GET') url.search = fields.toString();
  const answer = await fetch(url, {
    method: forged.method,
    headers: forged.headers,
    redirect: 'manual',
    ...(forged.method === 'POST' && { body: fields }),
  });
  await answer.arrayBuffer();
  return answer.status;
}
