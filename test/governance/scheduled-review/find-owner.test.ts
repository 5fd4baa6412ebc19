import { type SandboxSlack, startSlack } from '@assistant-bridge/sandbox/slack/start-slack.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OwnerFinder } from '../../../src/governance/scheduled-review/address-owners.ts';
import { createOwnerFinder } from '../../../src/governance/scheduled-review/slack-delivery.ts';
import { createHttpClient, type HttpClient } from '../../../src/http/http-client.ts';
import { createLog } from '../../../src/log.ts';
import { createPeople } from '../../../src/slack/people.ts';
import { createSlackClient } from '../../../src/slack/web/client.ts';

const LOG = createLog('silent');

let slack: SandboxSlack;
let http: HttpClient;
let finder: OwnerFinder;
let waits: number[];

beforeEach(async () => {
  slack = await startSlack();
  http = createHttpClient();
  waits = [];
  const { botToken, botId, botUserId } = slack;
  const installation = { workspace: 'T0001', team: 'T0001', botToken, botId, botUserId };
  const findInstallation = async () => installation;
  const call = createSlackClient({ http, apiUrl: slack.apiUrl, now: Date.now, log: createLog('silent') });
  const attempt = {
    signal: new AbortController().signal,
    isHeld: () => true,
    wait: async (ms: number) => void waits.push(ms),
  };
  finder = createOwnerFinder(installation, attempt, {
    call,
    people: createPeople(call, findInstallation),
    directory: { find: async (team, id) => (id === 'oid-of-ben' ? { team, user: 'U0BEN' } : undefined) },
    log: LOG,
  });
});

afterEach(async () => {
  await http.close();
  await slack.close();
});

describe('an owner', () => {
  it.each([
    ['an e-mail address', 'Ana@acme.example', 'U0ANA'],
    ['a Slack user id', 'U0KIM', 'U0KIM'],
    ['an id in the directory', 'oid-of-ben', 'U0BEN'],
  ])('is found by %s', async (_, owner, user) => {
    expect(await finder.find(owner)).toMatchObject({ user });
    // Nobody is written to yet.
    expect(slack.ledger.calls('conversations.open')).toEqual([]);
  });

  it.each([
    ['a guest', 'gus@guest.example', 'no_member'],
    ['somebody of another company', 'U0STRANGER', 'no_member'],
    ['a bot', 'U0OTHERBOT', 'no_member'],
    ['somebody who left', 'U0GONE', 'no_member'],
    ['nobody', 'U0NOBODY', 'unknown'],
    ['an address that nobody has', 'nobody@acme.example', 'unknown'],
    ['an account that nobody has signed in with', 'oid-of-somebody', 'not_signed_in'],
  ])('who is %s is not written to, and it is known why', async (_, owner, why) => {
    expect(await finder.find(owner)).toBe(why);
    expect(finder.lacksAddresses()).toBe(false);
    // What Slack refuses it refuses again.
    expect(waits).toEqual([]);
  });

  it('is not found by an address where the app may not look for it, and that is known', async () => {
    slack.registration.scopes.delete('users:read.email');

    expect(await finder.find('ana@acme.example')).toBe('lacks_scope');
    expect(await finder.find('ben@acme.example')).toBe('lacks_scope');
    expect(finder.lacksAddresses()).toBe(true);
    expect(await finder.find('U0ANA')).toMatchObject({ user: 'U0ANA' });
  });

  it('is looked for once, and after the wait that Slack asks for', async () => {
    slack.faults.next('users.lookupByEmail', { kind: 'rateLimited', retryAfterSeconds: 30 });

    expect(await finder.find('ana@acme.example')).toMatchObject({ user: 'U0ANA' });
    await finder.find('ANA@acme.example');

    expect(waits).toEqual([30_000]);
    expect(slack.ledger.calls('users.lookupByEmail')).toHaveLength(2);
  });

  it('is given up where Slack does not answer about them again and again', async () => {
    slack.faults.always('users.info', { kind: 'resetBeforeProcessing' });

    expect(await finder.find('U0ANA')).toBe('slack_failed');
    expect(waits).toHaveLength(2);
  });
});
