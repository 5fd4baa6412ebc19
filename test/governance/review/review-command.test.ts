// The review of one admin in their direct messages: what is shown meanwhile, and how it ends.
import { beforeEach, describe, expect, it } from 'vitest';
import { AdminRefusedError } from '../../../src/admin-api/admin-errors.ts';
import { reviewCommand, type SlackReviewServices } from '../../../src/governance/review/review-command.ts';
import type { Asking } from '../../../src/governance/shell/admin-shell.ts';
import { createLog } from '../../../src/log.ts';
import { setEdit } from '../../../src/policy/edit.ts';
import { EMPTY_POLICY, type Policy } from '../../../src/policy/policy.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { CURRENCY, createTenant, LIMIT, NOW, STALE_MS, type Tenant, toPolicy } from './a-tenant.ts';

const CALLER = { team: 'T1', workspace: 'T1', user: 'UKIM' };
const POLICY = toPolicy([
  setEdit('standard', { className: 'maker' }, { limit: { ...LIMIT, credits: 1 }, credits: {} }),
  setEdit('class', { environmentId: 'env-1' }, 'maker'),
]);

let tenant: Tenant;
let policy: Policy;
let said: string[];
/** The messages in the direct messages, by their ts. */
let messages: Map<string, string>;
let entries: object[];
let services: SlackReviewServices;

beforeEach(() => {
  [tenant, policy, said, messages, entries] = [createTenant(), POLICY, [], new Map(), []];
  let ids = 0;
  services = {
    policy: { read: async () => ({ policy, version: 1 }) },
    sent: { readFor: async () => () => undefined },
    once: createMemoryStore(() => NOW).once,
    audit: { append: async (entry: object) => void entries.push(entry) },
    channels: { directMessage: async () => 'DKIM' },
    messenger: {
      async post(_place: object, content: object) {
        const ts = `${messages.size + 1}.0`;
        messages.set(ts, JSON.stringify(content));
        return ts;
      },
      update: async (_place: object, ts: string, content: object) => void messages.set(ts, JSON.stringify(content)),
    },
    owners: { findUser: async () => undefined, findId: async () => undefined },
    timeZone: async () => 'UTC',
    ...{ currency: CURRENCY, limitStaleMs: STALE_MS, readsLimits: true, stopping: new AbortController().signal },
    ...{ createId: () => `r${++ids}`, now: () => NOW, log: createLog('silent') },
  } as unknown as SlackReviewServices;
});

async function review(words = '', place = 'C1') {
  const work = reviewCommand(words, services, place);
  if (!('run' in work)) throw new Error('it opens a window');
  const say = async (content: object) => said.push(JSON.stringify(content)) > 0;
  await work.run({ caller: CALLER, role: 'admin', openSession: async () => tenant.session, say } satisfies Asking);
}

describe('a review', () => {
  it('ends with one message, and is in the log with figures alone', async () => {
    await review();

    expect(said).toEqual([expect.stringContaining('Follow it in our direct messages')]);
    expect([...messages.values()]).toEqual([
      expect.stringContaining('read 1 environment and 1 agent'),
      expect.stringContaining('*1 of 1 differs from policy 1* · 0 unknown'),
    ]);
    expect(entries).toEqual([
      expect.objectContaining({
        what: 'review_run',
        who: { user: 'UKIM' },
        after: expect.objectContaining({ more: 1 }),
      }),
    ]);
    expect(JSON.stringify(entries)).not.toContain('Agent 1');
  });

  it('says nothing more where it was asked for in the direct messages', async () => {
    await review('', 'DKIM');

    expect(said).toEqual([]);
    expect(messages.size).toBe(2);
  });

  it('says that nothing fits, and reviews nothing', async () => {
    await review('zebra');

    expect([...messages.values()]).toEqual([expect.stringContaining('Nothing fits “zebra”')]);
    expect(entries).toEqual([]);
  });

  it('says what stopped it', async () => {
    tenant.session.findEnvironments = async () => {
      throw new AdminRefusedError('admin_forbidden', 'query inventory');
    };

    await review();

    expect([...messages.values()]).toEqual([expect.stringContaining('administrator role')]);
  });

  it('is one at a time for each admin, and the next may begin as soon as it has ended', async () => {
    await Promise.all([review(), review()]);
    expect(said.filter((text) => text.includes('is still running'))).toHaveLength(1);

    await review();

    expect(messages.size).toBe(4);
  });

  it('offers to draft a policy where there is none, and reads nothing', async () => {
    policy = EMPTY_POLICY;

    await review();

    expect(said).toEqual([expect.stringContaining('Draft a policy…')]);
    expect(tenant.reads.inventory).toBe(0);
  });
});
