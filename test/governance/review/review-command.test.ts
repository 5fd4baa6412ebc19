// The review of one admin in their direct messages: what is shown meanwhile, and how it ends.
import { beforeEach, describe, expect, it } from 'vitest';
import { AdminRefusedError } from '../../../src/admin-api/admin-errors.ts';
import { reviewCommand } from '../../../src/governance/review/review-command.ts';
import { setEdit } from '../../../src/policy/edit.ts';
import { EMPTY_POLICY } from '../../../src/policy/policy.ts';
import { KIM, textOf, type World } from '../world.ts';
import { aTenant, LIMIT, toPolicy } from './a-tenant.ts';

const POLICY = toPolicy([
  setEdit('standard', { className: 'maker' }, { limit: { ...LIMIT, credits: 1 }, credits: {} }),
  setEdit('class', { environmentId: 'env-1' }, 'maker'),
]);

let tenant: World;
/** The messages in the direct messages, by their ts. */
let messages: Map<string, string>;
let entries: object[];

beforeEach(async () => {
  [tenant, messages, entries] = [aTenant(), new Map(), []];
  const { policy, services } = tenant;
  await policy.replace(await policy.read(), POLICY);
  let ids = 0;
  Object.assign(services, {
    audit: { append: async (entry: object) => void entries.push(entry) },
    channels: { directMessage: async () => 'DKIM' },
    messenger: {
      async post(_place: object, content: object) {
        const ts = `${messages.size + 1}.0`;
        messages.set(ts, textOf(content));
        return ts;
      },
      update: async (_place: object, ts: string, content: object) => void messages.set(ts, textOf(content)),
    },
    createId: () => `r${++ids}`,
  });
});

const review = (words = '', place = 'C1') => tenant.run(reviewCommand(words, tenant.services, place));

const said = () => tenant.said.map(textOf);

describe('a review', () => {
  it('ends with one message, and is in the log with figures alone', async () => {
    await review();

    expect(said()).toEqual([expect.stringContaining('Follow it in our direct messages')]);
    expect([...messages.values()]).toEqual([
      expect.stringContaining('read 1 environment and 1 agent'),
      expect.stringContaining('*1 of 1 differs from policy 1* · 0 unknown'),
    ]);
    expect(entries).toEqual([
      expect.objectContaining({
        what: 'review_run',
        who: { user: KIM.user },
        after: expect.objectContaining({ more: 1 }),
      }),
    ]);
    expect(JSON.stringify(entries)).not.toContain('Agent 1');
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
    expect(said().filter((text) => text.includes('is still running'))).toHaveLength(1);

    await review();

    expect(messages.size).toBe(4);
  });

  it('offers to draft a policy where there is none, and reads nothing', async () => {
    await tenant.policy.replace(await tenant.policy.read(), EMPTY_POLICY);

    await review();

    expect(said()).toEqual([expect.stringContaining('Draft a policy…')]);
    expect(tenant.service.calls).toEqual([]);
  });
});
