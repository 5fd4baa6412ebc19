// Seeded sequences of edits, undone ones, exceptions that end, and changes made elsewhere, against a service in memory: after
// each step policy and service agree, or the comparison names exactly where not. What is expected is worked out here anew,
// with nothing of the code under test.
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type CompareOptions, EVERYTHING, findDifferences } from '../../../src/governance/plan/find-differences.ts';
import { makePlan } from '../../../src/governance/plan/make-plan.ts';
import type { Item } from '../../../src/governance/plan/plan.ts';
import type { CreditsState, Seen, SeenAgent, Sent, ThresholdState } from '../../../src/governance/plan/seen.ts';
import { applyEdits, type Edit, endEdit, endException, setEdit, toReverse } from '../../../src/policy/edit.ts';
import { EMPTY_POLICY, findEntry, type Policy } from '../../../src/policy/policy.ts';
import { type Target, toTargetKey } from '../../../src/policy/target.ts';
import type { Credits, Limit, SettingId, Values } from '../../../src/policy/values.ts';
import { createRandom, type Random } from '../../faults/random.ts';

const CURRENCY = 'ServiceMessages';
const SEQUENCES = 600;
const STEPS = 16;
const DAY_MS = 24 * 3_600_000;
const ENVIRONMENTS = ['env-a', 'env-b'];
const AGENTS = ENVIRONMENTS.flatMap((environmentId) =>
  ['one', 'two'].map((agentId) => anAgent(environmentId, agentId)),
);
const CLASSES = ['maker', 'production'];
const LIMITS: Limit[] = [
  'none',
  { credits: 100, noticeAt: 80, stopAtLimit: true },
  // Each differs from the one before in one thing.
  { credits: 100, noticeAt: 'off', stopAtLimit: true },
  { credits: 100, noticeAt: 'off', stopAtLimit: false },
  { credits: 500, noticeAt: 'off', stopAtLimit: false },
];
const CREDITS: Credits[] = [
  { allocated: 10, rules: { Alert: true, TenantPool: false, PayGo: false, Deny: true } },
  { allocated: 70, rules: { Alert: true, TenantPool: false, PayGo: false, Deny: true } },
  { allocated: 70, rules: { Alert: true, TenantPool: false, PayGo: false, Deny: false } },
  { allocated: 70, rules: { Alert: true, TenantPool: true, PayGo: false, Deny: false } },
  { allocated: 70, rules: { Alert: true, TenantPool: true, PayGo: true, Deny: false } },
];

function anAgent(environmentId: string, agentId: string): SeenAgent {
  const names = { name: agentId, environmentName: environmentId, ownerId: undefined };
  return { environmentId, agentId, resourceId: `bot-${agentId}`, ...names, isHarness: false };
}

/** What was decided of one setting of one target, noted here anew. */
type Note = { standing?: unknown; exception?: { value: unknown; until: string } | undefined };

type World = {
  policy: Policy;
  notes: Map<string, Note>;
  now: number;
  isShown: boolean;
  thresholds: Map<string, ThresholdState>;
  credits: Map<string, CreditsState>;
  sent: Map<string, Sent>;
  /** What was logged last of each, as long as nobody has changed it elsewhere. */
  logged: Map<string, unknown>;
  undo: { edits: Edit[]; notes: Map<string, Note> } | undefined;
};

const keyOf = ({ environmentId, agentId }: SeenAgent) => toTargetKey({ environmentId, agentId, currency: CURRENCY });
const why = (now: number) => ({ by: 'U1', reason: 'as the dice have it', at: now });

function see(world: World): Seen {
  return {
    ...{ at: world.now, environments: ENVIRONMENTS.map((id) => ({ environmentId: id, name: id, ownerId: undefined })) },
    ...{ agents: AGENTS, isWhole: true },
    threshold: (agent) => (world.isShown ? (world.thresholds.get(keyOf(agent)) ?? NOTHING_SET) : 'hidden'),
    credits: (environmentId) => ({ credits: world.credits.get(environmentId) ?? {}, raw: 'none' }),
  };
}

const NOTHING_SET: ThresholdState = { limit: 'none', stopped: false };

function toOptions(world: World, trustSentMs?: number): CompareOptions {
  const readSent = (key: string) => world.sent.get(key);
  return { defaultCurrency: CURRENCY, readSent, trustSentMs, now: world.now, unknownStop: 'runs' };
}

/** As carry-out-item.ts does it: read again, compare, write, read back. */
function carryOut(item: Item, world: World): void {
  if (item.resource === 'credits') {
    const present = world.credits.get(item.environmentId) ?? {};
    if (!isDeepStrictEqual(item.before, present)) throw new Error('nobody came between');
    world.credits.set(item.environmentId, { ...present, ...item.after });
    world.logged.set(item.environmentId, item.after);
    return;
  }
  const key = keyOf(item.agent);
  const present = world.thresholds.get(key) ?? NOTHING_SET;
  if (item.before !== 'unknown' && !isDeepStrictEqual(item.before, present)) throw new Error('nobody came between');
  world.thresholds.set(key, item.after);
  world.sent.set(key, { ...item.after, at: world.now, run: 'run' });
  world.logged.set(key, item.after);
}

/** `toNote`: what holds of it then; undefined: nothing. */
function decideOne(edit: Edit, world: World, toNote: (note: Note) => Note | undefined): void {
  const notes = new Map(world.notes);
  const key = `${edit.setting}:${toTargetKey(edit.target)}`;
  const note = toNote(world.notes.get(key) ?? {});
  if (note) notes.set(key, note);
  else notes.delete(key);
  // Where the service hides limits, only what nobody has changed elsewhere is known.
  const before = [...world.thresholds].filter(([known]) => world.isShown || world.logged.has(known));
  decide([edit], world, notes);
  if (edit.setting !== 'stop') return;
  for (const [known, { limit }] of before) {
    if (!isLimitGoverned(world, known)) expect(world.thresholds.get(known)?.limit).toEqual(limit);
  }
}

function isLimitGoverned(world: World, key: string): boolean {
  const agent = AGENTS.find((one) => keyOf(one) === key);
  return agent !== undefined && limitOf(world, agent) !== undefined;
}

function decide(edits: Edit[], world: World, notes: Map<string, Note>): void {
  const plan = makePlan('0123456789ab', world.policy, edits, see(world), toOptions(world));
  expect(plan.leftOut).toEqual([]);
  world.undo = { edits: toReverse(world.policy, edits), notes: world.notes };
  world.notes = notes;
  world.policy = applyEdits(world.policy, edits, why(world.now));
  for (const item of plan.items) carryOut(item, world);
  // What was just set is no difference any more.
  const again = makePlan('0123456789ab', world.policy, edits, see(world), toOptions(world, DAY_MS));
  expect(again.items.filter(({ resource }) => world.isShown || resource === 'credits')).toEqual([]);
}

function step(world: World, { pick, chance }: Random): void {
  const agent = pick(AGENTS);
  const environmentId = pick(ENVIRONMENTS);
  const target = { environmentId: agent.environmentId, agentId: agent.agentId };
  const until = chance(0.5) ? new Date(world.now + DAY_MS).toISOString().slice(0, 10) : undefined;
  const standard = () => ({ limit: pick(LIMITS), credits: { [CURRENCY]: pick(CREDITS) } });
  const set = <S extends SettingId>(setting: S, of: Target, value: Values[S], last?: string) =>
    decideOne(setEdit(setting, of, value, last), world, (note) =>
      last === undefined ? { standing: value } : { ...note, exception: { value, until: last } },
    );
  const steps: (() => void)[] = [
    () => set('limit', { ...target, currency: CURRENCY }, pick(LIMITS), until),
    () => set('stop', target, chance(0.6)),
    () => set('stop', { environmentId }, chance(0.6)),
    () => decideOne(endEdit('limit', { ...target, currency: CURRENCY }), world, () => undefined),
    () => {
      const entry = findEntry(world.policy, 'limit', { ...target, currency: CURRENCY });
      if (entry?.exception) decideOne(endException(entry), world, ({ standing }) => ({ standing }));
    },
    () => set('credits', { environmentId, currency: CURRENCY }, pick(CREDITS), until),
    () => set('standard', { className: pick(CLASSES) }, standard()),
    () => set('class', { environmentId }, pick(CLASSES)),
    () => {
      if (world.undo) decide(world.undo.edits, world, world.undo.notes);
    },
    // The last day of an exception begins, and is over.
    () => passTo(world, 1),
    () => passTo(world, 1),
    () => passTo(world, 2),
    () => {
      world.thresholds.set(keyOf(agent), { limit: pick(LIMITS), stopped: chance(0.3) });
      world.logged.delete(keyOf(agent));
    },
    () => {
      world.credits.set(environmentId, { [CURRENCY]: pick(CREDITS) });
      world.logged.delete(environmentId);
    },
  ];
  pick(steps)();
}

/** To the first moment of a later day. */
function passTo(world: World, days: number): void {
  world.now = (Math.floor(world.now / DAY_MS) + days) * DAY_MS;
}

/** What was decided, read in the plainest way: the exception while it lasts, else what stands. */
function readPlainly({ notes, now }: World, setting: string, key: string): unknown {
  const { standing, exception } = notes.get(`${setting}:${key}`) ?? {};
  return exception && now < Date.parse(exception.until) + DAY_MS ? exception.value : standing;
}

function classOf(world: World, environmentId: string): string | undefined {
  return readPlainly(world, 'class', toTargetKey({ environmentId })) as string | undefined;
}

function standardOf(world: World, environmentId: string) {
  const className = classOf(world, environmentId) ?? 'none';
  return readPlainly(world, 'standard', toTargetKey({ className })) as
    | { limit?: Limit; credits: Record<string, Credits> }
    | undefined;
}

function limitOf(world: World, agent: SeenAgent): Limit | undefined {
  const own = readPlainly(world, 'limit', keyOf(agent)) as Limit | undefined;
  return own ?? standardOf(world, agent.environmentId)?.limit;
}

function isAsApproved(world: World, agent: SeenAgent): boolean {
  const { environmentId, agentId } = agent;
  const limit = limitOf(world, agent);
  const stop =
    readPlainly(world, 'stop', toTargetKey({ environmentId, agentId })) ??
    readPlainly(world, 'stop', toTargetKey({ environmentId })) ??
    (classOf(world, environmentId) === undefined ? undefined : false);
  const present = world.thresholds.get(keyOf(agent)) ?? NOTHING_SET;
  const isLimit = limit === undefined || isDeepStrictEqual(limit, present.limit);
  return isLimit && (stop === undefined || stop === present.stopped);
}

function hasApprovedCredits(world: World, environmentId: string): boolean {
  const own = readPlainly(world, 'credits', toTargetKey({ environmentId, currency: CURRENCY })) as Credits | undefined;
  const wanted = own ?? standardOf(world, environmentId)?.credits[CURRENCY];
  const present = world.credits.get(environmentId) ?? {};
  return wanted === undefined || isDeepStrictEqual(wanted, present[CURRENCY]);
}

function findPlainly(world: World): string[] {
  const agents = AGENTS.filter((agent) => !isAsApproved(world, agent)).map(keyOf);
  return [...agents, ...ENVIRONMENTS.filter((id) => !hasApprovedCredits(world, id))].toSorted();
}

function findByReview(world: World): string[] {
  const { items, leftOut } = findDifferences(
    world.policy,
    see({ ...world, isShown: true }),
    EVERYTHING,
    toOptions(world, DAY_MS),
  );
  expect(leftOut).toEqual([]);
  return items.map((item) => (item.resource === 'credits' ? item.environmentId : keyOf(item.agent))).toSorted();
}

describe.each([
  ['shows limits', true],
  ['hides limits', false],
])('where the service %s', (_, isShown) => {
  it(`agrees with the policy after ${SEQUENCES / 2} sequences, or the review names exactly where not`, () => {
    for (let seed = 1; seed <= SEQUENCES / 2; seed += 1) {
      const random = createRandom(seed);
      const world: World = {
        ...{ policy: EMPTY_POLICY, notes: new Map(), now: Date.parse('2026-11-24T09:00:00Z'), isShown },
        ...{ thresholds: new Map(), credits: new Map(), sent: new Map(), logged: new Map(), undo: undefined },
      };
      for (let count = 1; count <= STEPS; count += 1) {
        step(world, random);
        expect(findByReview(world), `seed ${seed}, step ${count}`).toEqual(findPlainly(world));
      }
      const { items } = findDifferences(world.policy, see(world), EVERYTHING, toOptions(world));
      for (const item of items) carryOut(item, world);
      expect(findPlainly(world), `seed ${seed}, set back`).toEqual([]);
      for (const [key, state] of world.logged) expect(readState(world, key), `seed ${seed}, log`).toEqual(state);
    }
  });
});

/** Of what the log says last: nobody has changed it elsewhere since it was set back. */
function readState(world: World, key: string): unknown {
  return ENVIRONMENTS.includes(key) ? world.credits.get(key) : world.thresholds.get(key);
}
