// A seeded search for a sign-in that links the wrong pair. After each attempt the stored links are what they were before.
import type { Purpose } from '../../../src/identity/account-link.ts';
import { createSecret } from '../../../src/identity/secret.ts';
import { openTokens } from '../../../src/identity/token-vault.ts';
import { createRandom, type Random } from '../../faults/random.ts';
import type { LinkWorld } from '../link-world.ts';
import { type Forged, forge, send } from './forge.ts';
import { beginTrip, connect, type Someone, STAGES, type Stage, type Trip, walkTo } from './trip.ts';

export type Found = {
  /** Attempts of each kind. */
  attempts: Record<string, number>;
  /** Honest sign-ins between them, to the end. */
  honest: number;
  /** Attempts that changed a link. */
  linkedWrongly: string[];
  /** Honest sign-ins that failed, or linked something else. */
  failed: string[];
};

export type SearchOptions = { seed: number; count: number; progress?: (line: string) => void };

const PEOPLE: readonly Someone[] = [
  { user: 'U0ANA', account: 'ana' },
  { user: 'U0BEN', account: 'ben' },
  { user: 'U0KIM', account: 'kim' },
];

const PURPOSES: readonly Purpose[] = ['assistant', 'admin'];

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

const EXPIRED_MS = 10 * 60_000 + 1;

type Search = { world: LinkWorld; random: Random; found: Found };

type Pair = { attacker: Someone; victim: Someone; purpose: Purpose };

export async function searchSignIns(world: LinkWorld, { seed, count, progress }: SearchOptions): Promise<Found> {
  const random = createRandom(seed);
  const found: Found = { attempts: {}, honest: 0, linkedWrongly: [], failed: [] };
  const search = { world, random, found };
  const done = () => Object.values(found.attempts).reduce((sum, each) => sum + each, 0);
  while (done() < count) {
    const scene = random.chance(0.5) ? mixUp : random.pick(SCENES);
    await scene(search, pickPair(random));
    progress?.(`${done()} attempts, ${found.honest} honest sign-ins, ${found.linkedWrongly.length} linked wrongly`);
  }
  return found;
}

function pickPair(random: Random): Pair {
  const attacker = random.pick(PEOPLE);
  return { attacker, victim: random.pick(PEOPLE.filter((one) => one !== attacker)), purpose: random.pick(PURPOSES) };
}

const SCENES = [stealLink, forwardLink, plantSession, bringAnotherTenant, comeLate, pressTwice];

/** Two sign-ins, each somewhere on its way: everything of both is presented in every wrong mix. */
async function mixUp(search: Search, { attacker, victim, purpose }: Pair): Promise<void> {
  const { world, random } = search;
  const trips = [
    await beginTrip(world, { who: attacker, purpose: random.pick(PURPOSES) }),
    await beginTrip(world, { who: victim, purpose }),
  ];
  for (const trip of trips) await walkTo(world, trip, random.pick(STAGES));
  const burned = new Set<Trip>();
  for (let round = 0; round < 12; round += 1) {
    const forged = forge(random, trips);
    if (!forged) continue;
    await attempt(search, 'mixed', () => send(world.publicUrl, forged));
    for (const trip of forged.burns) burned.add(trip);
  }
  for (const trip of trips) {
    if (burned.has(trip) || !(await finish(search, trip))) continue;
    await replay(search, trip, 'replayed');
    const other = trips.find((one) => one !== trip);
    const undo = toForged('undo', { undo: trip.secrets.undo ?? '' }, other?.cookie() ?? createSecret());
    await attempt(search, 'undone by another', () => send(world.publicUrl, undo));
    if (random.chance(0.5)) await takeBack(search, trip);
  }
}

/** The victim's link in the attacker's browser. */
async function stealLink(search: Search, { attacker, victim, purpose }: Pair): Promise<void> {
  await attempt(search, 'stolen link', () => refuseWalk(search, { who: victim, purpose, browserOf: attacker }));
}

/** The attacker's link in the victim's browser. */
async function forwardLink(search: Search, { attacker, victim, purpose }: Pair): Promise<void> {
  await attempt(search, 'forwarded link', () => refuseWalk(search, { who: attacker, purpose, browserOf: victim }));
}

/** The victim's browser was signed in to Slack as the attacker: only the page with both names is left to stop it. */
async function plantSession(search: Search, { attacker, victim, purpose }: Pair): Promise<void> {
  const { world, found } = search;
  const browserOf = { user: attacker.user, account: victim.account };
  const trip = await beginTrip(world, { who: attacker, purpose, browserOf });
  await attempt(search, 'planted session', () => walkTo(world, trip, 'confirm'));
  const draft = trip.secrets.confirm ?? '';
  const own = await beginTrip(world, { who: attacker, purpose });
  await walkTo(world, own, 'account');
  const cookies = [own.cookie() ?? '', createSecret(), ''];
  for (const cookie of cookies) {
    const forged = toForged('confirm', { draft, decision: 'connect' }, cookie);
    await attempt(search, 'planted session, posted elsewhere', () => send(world.publicUrl, forged));
  }
  const crossSite = toForged('confirm', { draft, decision: 'connect' }, trip.cookie() ?? '');
  crossSite.headers['sec-fetch-site'] = 'cross-site';
  await attempt(search, 'planted session, posted by another site', () => send(world.publicUrl, crossSite));
  const cancel = toForged('confirm', { draft, decision: 'cancel' }, trip.cookie() ?? '');
  if ((await send(world.publicUrl, cancel)) !== 200) found.failed.push('Cancel does not work');
  await replay(search, trip, 'replayed after Cancel');
}

async function bringAnotherTenant(search: Search, { victim, purpose }: Pair): Promise<void> {
  const browserOf = { user: victim.user, account: 'zoe' };
  await attempt(search, 'another tenant', () => refuseWalk(search, { who: victim, purpose, browserOf }));
}

/** The right browser does the right thing, too late. */
async function comeLate(search: Search, { victim, purpose }: Pair): Promise<void> {
  const { world, random } = search;
  const trip = await beginTrip(world, { who: victim, purpose });
  await walkTo(world, trip, random.pick(STAGES));
  world.clock.skewMs += EXPIRED_MS;
  await attempt(search, 'expired', () => present(search, trip, trip.stage));
}

async function pressTwice(search: Search, { victim, purpose }: Pair): Promise<void> {
  const { world, found } = search;
  const trip = await beginTrip(world, { who: victim, purpose });
  await walkTo(world, trip, 'confirm');
  const before = (await readLink(search, trip))?.version ?? 0;
  const ends = await Promise.all([present(search, trip, 'confirm'), present(search, trip, 'confirm')]);
  count(found, 'pressed twice');
  const saved = (await readLink(search, trip))?.version ?? 0;
  if (saved !== before + 1) found.linkedWrongly.push(`pressed twice: version ${saved} after ${before}`);
  if (ends.filter((status) => status === 200).length !== 1) found.failed.push(`pressed twice: ${ends}`);
  found.honest += 1;
}

async function refuseWalk({ world, found }: Search, options: Parameters<typeof beginTrip>[1]): Promise<void> {
  const trip = await beginTrip(world, options);
  if (await walkTo(world, trip, 'confirm')) found.linkedWrongly.push(`${options.who.user} got as far as both names`);
}

/** To the end, as an honest person does. False: it failed. */
async function finish(search: Search, trip: Trip): Promise<boolean> {
  const { world, found } = search;
  const { who } = trip;
  await walkTo(world, trip, 'confirm');
  const page = await connect(world, trip);
  const link = await readLink(search, trip);
  const tokens = link && openTokens(world.vault, link);
  const holder = tokens && (await world.provider.verifyToken(tokens.accessToken));
  const isRight = page.heading === 'Your accounts are connected' && holder?.subject === who.account;
  if (isRight) found.honest += 1;
  else found.failed.push(`${who.user} at ${trip.stage}: “${page.heading}”, token of ${holder?.subject}`);
  return isRight;
}

async function replay(search: Search, trip: Trip, kind: string): Promise<void> {
  for (const stage of STAGES) await attempt(search, kind, () => present(search, trip, stage));
}

async function takeBack(search: Search, trip: Trip): Promise<void> {
  const { world, found } = search;
  const undo = toForged('undo', { undo: trip.secrets.undo ?? '' }, trip.cookie() ?? '');
  await send(world.publicUrl, undo);
  if (await readLink(search, trip)) found.failed.push(`${trip.who.user}: Undo left the link`);
  await replay(search, trip, 'replayed after Undo');
}

/** The request of a stage as the right browser sends it. */
function present({ world }: Search, trip: Trip, stage: Stage): Promise<number> {
  const secret = trip.secrets[stage] ?? '';
  const fields: Record<Stage, Record<string, string>> = {
    start: { ticket: secret },
    slack: { state: secret, code: trip.codes.slack ?? '' },
    account: { state: secret, code: trip.codes.account ?? '' },
    confirm: { draft: secret, decision: 'connect' },
  };
  return send(world.publicUrl, toForged(stage, fields[stage], trip.cookie() ?? ''));
}

function toForged(endpoint: Forged['endpoint'], fields: Record<string, string>, cookie: string): Forged {
  const method = endpoint === 'slack' || endpoint === 'account' ? 'GET' : 'POST';
  return { endpoint, method, fields, headers: { ...SAME_ORIGIN, cookie: `link=${cookie}` }, burns: [] };
}

async function attempt({ world, found }: Search, kind: string, run: () => Promise<unknown>): Promise<void> {
  const before = JSON.stringify(world.rows('link'));
  const outcome = await run();
  count(found, kind);
  if (JSON.stringify(world.rows('link')) !== before) found.linkedWrongly.push(`${kind}: ${outcome}`);
}

function count({ attempts }: Found, kind: string): void {
  attempts[kind] = (attempts[kind] ?? 0) + 1;
}

function readLink({ world }: Search, { who, purpose }: Trip) {
  return world.links.get({ team: 'T0001', user: who.user, purpose });
}
