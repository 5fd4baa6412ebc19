// The messages that administrators and owners read: as usual, and at their worst.
import type { LinkedEntry } from '../../../src/audit/audit-log.ts';
import { buildBulkButtons, buildRowButtons } from '../../../src/governance/lists/list-actions.ts';
import { buildListMessage } from '../../../src/governance/lists/list-message.ts';
import { type ListName, readPage } from '../../../src/governance/lists/list-reader.ts';
import { buildLogMessage } from '../../../src/governance/lists/log-message.ts';
import { readLog } from '../../../src/governance/lists/search-log.ts';
import type { ThresholdItem } from '../../../src/governance/plan/plan.ts';
import type { SeenAgent } from '../../../src/governance/plan/seen.ts';
import { buildEffective } from '../../../src/governance/policy-documents/effective-message.ts';
import { buildEnding, buildPolicyMessage } from '../../../src/governance/policy-documents/policy-command.ts';
import type { News } from '../../../src/governance/review/review.ts';
import { buildFinished, buildInterrupted, buildProgress } from '../../../src/governance/review/review-command.ts';
import { buildReviewMessage } from '../../../src/governance/review/review-views.ts';
import {
  buildDirect,
  buildProblem,
  notDone,
  notRead,
  PROBLEMS,
  type ProblemCode,
} from '../../../src/governance/schedule/problem-messages.ts';
import { buildOwnerMessage } from '../../../src/governance/schedule/slack-owners.ts';
import { applyEdits, setEdit } from '../../../src/policy/edit.ts';
import { EMPTY_POLICY } from '../../../src/policy/policy.ts';
import type { Content } from '../../../src/slack/views/content.ts';
import { aListWorld, aWorstListWorld, BAD_NAME, type ListWorld } from '../../governance/lists/list-world.ts';
import { aLog } from '../../governance/lists/log-entries.ts';
import { aSeen, reviewSeen } from '../../governance/review/a-seen.ts';
import { aSeenAgent, LIMIT, toPolicy, WHY } from '../../governance/review/a-tenant.ts';
import { CURRENCY } from '../../governance/samples.ts';
import { NOW } from '../../governance/world.ts';
import { BAD, type Kind, toKinds, ZONE } from './kind.ts';

type Contents = Record<string, Content>;

export async function listAdminMessageKinds(): Promise<Kind[]> {
  return toKinds({ ...(await LISTS()), ...POLICIES(), ...REVIEWS(), ...SCHEDULED() });
}

async function aList(world: ListWorld, name: ListName, typed = ''): Promise<Content> {
  const found = await world.read(name, typed);
  if ('problem' in found) throw new Error(found.problem);
  const bulk = await buildBulkButtons(name, found, world.services);
  const buttons = (row: unknown) => buildRowButtons(name, row, 'admin');
  return buildListMessage({ ...found, page: await readPage(found, 0), ...ZONE, bulk, buttons });
}

async function aLogMessage(entries: Partial<LinkedEntry>[], typed: string): Promise<Content> {
  const query = { typed, words: [], filters: new Map(), period: undefined, isFile: false };
  const { services } = aListWorld();
  const found = await readLog({ query, limit: 10 }, { ...services, audit: aLog(entries) } as never);
  const turn = { query: typed, page: 1, before: 9 };
  return buildLogMessage({ ...found, searchedTo: NOW, isGap: true }, { query, turn, ...ZONE, team: 'T1' });
}

async function LISTS(): Promise<Contents> {
  const worst = await aWorstListWorld();
  await worst.approve(
    ...['maker', 'production', 'x'.repeat(40)].map((className) => setEdit('standard', { className }, { credits: {} })),
  );
  const usual = aListWorld();
  const month = async (world: ListWorld, name: ListName) => aList(world, name, '2026-03');
  const subject = { environmentId: BAD, agentId: BAD, currency: BAD, planId: BAD };
  const entry = {
    what: BAD as never,
    reason: BAD,
    before: BAD,
    after: BAD,
    who: { user: BAD, approver: BAD },
    subject,
  };
  return {
    'the agents': await aList(usual, 'agents'),
    'the agents, of which none fits': await aList(usual, 'agents', 'nothing'),
    'the agents, at their worst': await aList(worst, 'agents', BAD_NAME.slice(4, 9)),
    'the environments': await aList(usual, 'environments'),
    'the environments, at their worst': await aList(worst, 'environments', BAD_NAME.slice(4, 9)),
    'the agents of a month': await month(worst, 'agents'),
    'the environments of a month': await month(worst, 'environments'),
    'no month': await month(usual, 'environments'),
    'the log': await aLogMessage([{ subject: { environmentId: 'env-1', agentId: 'a1' } }], ''),
    'the log without entries': await aLogMessage([], 'nothing'),
    'the log, at its worst': await aLogMessage(
      Array.from({ length: 12 }, () => entry),
      BAD,
    ),
  };
}

const WORST_AGENT: SeenAgent = { ...aSeenAgent(), name: BAD, environmentName: BAD, ownerId: BAD };

const POLICIES = (): Contents => {
  const until = '2026-12-31';
  const target = (index: number) => ({ environmentId: 'env-1', agentId: `agent-${index}`, currency: CURRENCY });
  const why = { ...WHY, reason: BAD };
  const full = applyEdits(
    EMPTY_POLICY,
    [
      setEdit('standard', { className: 'maker' }, { limit: LIMIT, credits: { [BAD]: { allocated: 5, rules: {} } } }),
      setEdit('class', { environmentId: 'env-1' }, 'maker'),
      ...Array.from({ length: 40 }, (_, index) => setEdit('limit', target(index), LIMIT, until)),
    ],
    why,
  );
  const name = () => `*${'&amp;'.repeat(80)}*`;
  const agent = { environmentId: 'env-1', agentId: 'agent-1' };
  return {
    'the policy': buildPolicyMessage(full, { now: NOW, role: 'admin' }),
    'an empty policy': buildPolicyMessage(EMPTY_POLICY, { now: NOW, role: 'auditor' }),
    'the exceptions': buildEnding(full, name, { now: NOW, canEnd: true }),
    'no exceptions': buildEnding(EMPTY_POLICY, name, { now: NOW, canEnd: true }),
    'where values come from': buildEffective(full, agent, name, {
      now: () => NOW,
      currency: CURRENCY,
      configuredSettings: {},
    }),
  };
};

const REVIEWS = (): Contents => {
  const agents = Array.from({ length: 40 }, (_, index) => ({ ...WORST_AGENT, agentId: `agent-${index}` }));
  const policy = toPolicy([
    setEdit('standard', { className: 'maker' }, { limit: LIMIT, credits: { [CURRENCY]: { allocated: 5, rules: {} } } }),
    setEdit('class', { environmentId: 'env-1' }, 'maker'),
    setEdit('limit', { environmentId: 'env-1', agentId: 'agent-1', currency: CURRENCY }, 'none', '2026-12-01'),
  ]);
  const environments = ['env-1', ...Array.from({ length: 30 }, (_, index) => `new-${index}${BAD}`)];
  const credits = { 'env-1': { [CURRENCY]: { allocated: 9, rules: { TenantPool: true } } } };
  const seen = aSeen({
    agents,
    environments,
    credits,
    isWhole: false,
    thresholds: { 'agent-3': 'hidden', 'agent-4': 'unreadable' },
  });
  const { head, findings } = reviewSeen(policy, seen);
  const calm = reviewSeen(toPolicy([]), aSeen({ environments: [], agents: [] })).head;
  const quiet = { isFirst: false, review: 'r1', differing: 1, unknown: 0, over: { count: 1, names: [BAD] } };
  const toShown = (from: number, news?: News) => ({
    ...{
      head: { ...head, news },
      open: head.counts,
      kept: findings.length,
      page: from / 8,
      pageCount: 5,
      owners: new Map([['owner-of-new-1', 'U0KIM']]),
    },
    rows: findings.slice(from, from + 8).map((finding, at) => ({ finding, index: from + at })),
  });
  return {
    'a review': buildReviewMessage(toShown(0), ZONE),
    'the next page of a review': buildReviewMessage(toShown(32, { ...quiet, lines: [BAD] }), ZONE),
    'a review where all is in order': buildReviewMessage(
      { head: calm, open: calm.counts, kept: 0, page: 0, pageCount: 1, owners: new Map(), rows: [] },
      ZONE,
    ),
    'a review that begins': buildProgress(undefined),
    'a review that goes on': buildProgress({ done: 30, total: 1_200 }),
    'a review that is done': buildFinished(head),
    'a review that was interrupted': buildInterrupted(),
  };
};

const SCHEDULED = (): Contents => {
  const all = (Object.keys(PROBLEMS) as ProblemCode[]).map((code) => notDone(code, ['U0KIM', BAD]));
  const said = [...all, notRead({ code: 'admin_busy', sentence: BAD })].flatMap((problem): [string, Content][] => [
    [`the scheduled review is not done: ${problem.code}`, buildProblem(problem, NOW, 'Europe/Berlin')],
    [`its reviewer hears: ${problem.code}`, buildDirect(problem)],
  ]);
  const item = { resource: 'threshold', agent: WORST_AGENT, currency: CURRENCY, way: 'more', isStop: false } as const;
  const states = { before: { limit: LIMIT, stopped: true }, after: { limit: 'none' as const, stopped: false } };
  const finding = { group: 'more' as const, item: { ...item, ...states } as ThresholdItem };
  const owned = { owners: [BAD], fallback: [] };
  const level = { level: 80, consumed: 9, capacity: 10, stopsAtLimit: true, name: BAD, where: BAD };
  const target = { environmentId: 'env-1', agentId: 'a', currency: CURRENCY };
  return {
    ...Object.fromEntries(said),
    'what owners read': buildOwnerMessage(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0
          ? { ...owned, kind: 'finding' as const, finding }
          : { ...owned, kind: 'level' as const, ...level, target, ownerId: BAD },
      ),
      'U0KIM',
    ),
  };
};
