// Who approves is another person in the directory, not only in Slack, and approves what they were shown.

import { DatabaseSync } from 'node:sqlite';
import { CURRENCY, toThresholdKey } from '@assistant-bridge/sandbox/admin/model.ts';
import { SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import type { SandboxUser } from '@assistant-bridge/sandbox/sandbox.ts';
import type { Message, View } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseEncryptionKeys } from '../../src/identity/encryption-keys.ts';
import { createTokenVault } from '../../src/identity/token-vault.ts';
import {
  awaitModal,
  closeModals,
  giveAdminCommand,
  nextPrivate,
  openLimitModal,
  readDirect,
  readPrivate,
} from '../app/administer.ts';
import { pressSignIn } from '../app/sign-in.ts';
import { type AdminWorld, followSignIn, KIM, signInWithAccount, startAdminWorld } from './admin-world.ts';

const BEN = 'U0BEN';
const ANA = 'U0ANA';
const REASON = 'The new team needs room until spring.';

const [PRODUCTION = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);

let world: AdminWorld;

beforeAll(async () => {
  world = await startAdminWorld(
    { admin: { thresholdList: true } },
    { ADMIN_USERS: 'U0KIM,U0BEN,U0ANA', REQUIRE_SECOND_APPROVER: 'yes' },
  );
});
beforeEach(async () => {
  world.identityProvider.setDirectoryIds(true);
  world.identityProvider.faults.clear();
  for (const user of [KIM, ANA, BEN] as const) await signOut(user);
  await signIn(KIM, 'kim');
});
afterAll(() => world.stop());

const person = (user: string) => world.slack.as(user);
const render = (shown: View | Message) => world.slack.render(shown as View);
const direct = (user: string) => readDirect(world, user);
const readLimit = () => world.admin.state.thresholds.get(toThresholdKey(PRODUCTION, 'bot-2'))?.limit;
const accountOf = (key: string) => {
  const { issuer, people } = world.identityProvider;
  return `${issuer}|oid|${people.get(key)?.oid}`;
};

async function signOut(user: SandboxUser): Promise<void> {
  const count = readPrivate(world, user).length;
  await person(user).command('/assistant', 'sign-out', 'C0GENERAL');
  await nextPrivate(world, user, count);
}

/** Whoever it is in Slack, with this account of the directory. */
const signIn = (user: SandboxUser, account: string, prompt?: Message) =>
  signInWithAccount(world, user, account, prompt);

/** Kim raises the limit of Travel Planner, as far as the confirmation. */
async function openConfirmation(limit = '2000'): Promise<View> {
  await closeModals(world, KIM);
  world.admin.state.thresholds.set(toThresholdKey(PRODUCTION, 'bot-2'), {
    ...{ entitlementId: CURRENCY, environmentId: PRODUCTION, resourceId: 'bot-2', limit: 1_000 },
    ...{ notificationThreshold: 80, notifyIfOverCapacity: true, stopIfOverCapacity: false, stopResource: false },
    ...{ resourceConsumption: 0, createdOn: '2026-01-15T08:00:00Z' },
  });
  await person(KIM).submit(await openLimitModal(world, KIM, 'Travel Planner'), { limit });
  return awaitModal(world, KIM, 'admin_limit_confirm');
}

/** Returns what the approver gets, and what Kim is told. */
async function ask(approver: string): Promise<{ request: Message; told: string }> {
  const confirmation = await openConfirmation();
  const [asked, told] = [direct(approver).length, readPrivate(world, KIM).length];
  const { errors } = await person(KIM).submit(confirmation, { reason: REASON, approver });
  expect(errors).toEqual({});
  const message = await nextPrivate(world, KIM, told);
  return { request: await nextDirect(approver, asked), told: render(message) };
}

/** Why Kim cannot choose this approver. */
async function choose(approver: string): Promise<string | undefined> {
  const { errors } = await person(KIM).submit(await openConfirmation(), { reason: REASON, approver });
  return errors.approver;
}

function nextDirect(user: string, count: number): Promise<Message> {
  return world.slack.until(() => direct(user)[count], { what: `a direct message to ${user}` });
}

/** Presses *Approve*, and returns the message that says why nothing was done. */
async function pressInVain(user: string, request: Message): Promise<Message> {
  const count = direct(user).length;
  await person(user).click(request, 'Approve');
  // The receipt of a sign-in may come between.
  const isRefusal = (message: Message) => render(message).includes('Nothing was done');
  return world.slack.until(() => direct(user).slice(count).find(isRefusal), { what: 'a refusal' });
}

/** Presses *Approve*, and waits until the message has no buttons any more. */
async function approve(user: string, request: Message): Promise<string> {
  await person(user).click(request, 'Approve');
  const shown = () => render(direct(user).find(({ ts }) => ts === request.ts) ?? request);
  return world.slack.until(() => (shown().includes('[Approve]') ? undefined : shown()), { what: 'the decision' });
}

function query<Result>(work: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(world.environment.SQLITE_PATH ?? '', { timeout: 5_000 });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** As after a sign-in that brought no id token. */
function forgetAccountOf(user: string): void {
  query((database) =>
    database
      .prepare("UPDATE documents SET body = json_remove(body, '$.sealed') WHERE key LIKE 'link:%:' || ? || ':%'")
      .run(user),
  );
}

/** Changes what is kept of the requests, beside the app, as somebody could who has its key. */
function changeRequests(change: (request: KeptRequest) => void): void {
  const vault = createTokenVault(parseEncryptionKeys(world.environment.ENCRYPTION_KEYS ?? ''));
  query((database) => {
    const rows = database.prepare(
      "SELECT key, body FROM documents WHERE key LIKE 'once:approval:%' AND key NOT LIKE '%:state'",
    );
    const update = database.prepare('UPDATE documents SET body = ? WHERE key = ?');
    for (const { key, body } of rows.all()) {
      const request: KeptRequest = JSON.parse(vault.open(JSON.parse(String(body)), String(key)));
      change(request);
      update.run(JSON.stringify(vault.seal(JSON.stringify(request), String(key))), String(key));
    }
  });
}

type KeptRequest = { planned: { plan: { after: { limit: number } } }; reason: string; account?: string };

function readLastChange(): { body: Record<string, unknown>; audit: { who: Record<string, unknown> } } {
  return query((database) => {
    const last = database.prepare("SELECT body FROM documents WHERE key LIKE ? || ':%' ORDER BY place DESC LIMIT 1");
    const read = (kind: string) => JSON.parse(String(last.get(kind)?.body));
    return { body: read('change'), audit: read('audit') };
  });
}

describe.each([
  ['with oid', true],
  ['without oid', false],
])('one account of a directory %s', (_, hasDirectoryIds) => {
  beforeEach(async () => {
    world.identityProvider.setDirectoryIds(hasDirectoryIds);
    await signIn(KIM, 'kim');
  });

  it('approves nothing for itself after it changed over to another Slack user', async () => {
    const { request, told } = await ask(ANA);
    await signOut(KIM);
    await signIn(ANA, 'kim');

    const refused = render(await pressInVain(ANA, request));

    expect(told).toContain('is not signed in for administration');
    expect(refused).toContain('you sign in to the administrative service with the same account as who asked for this');
    expect(readLimit()).toBe(1_000);
  });

  it('approves nothing for itself while somebody else is signed in as the requester', async () => {
    const { request } = await ask(ANA);
    await signIn(KIM, 'lee');
    await signIn(ANA, 'kim');

    const refused = render(await pressInVain(ANA, request));

    expect(refused).toContain('the same account as who asked for this');
    expect(readLimit()).toBe(1_000);
  });

  it('is not chosen as its own approver, and another one is, and approves', async () => {
    await signIn(ANA, 'kim');
    await signIn(BEN, 'lee');

    const problem = await choose(ANA);
    const { request, told } = await ask(BEN);
    const decided = await approve(BEN, request);

    expect(problem).toContain('this is you under another name');
    expect(told).not.toContain('is not signed in');
    expect(decided).toContain('*Verified*');
    expect(readLimit()).toBe(2_000);
  });
});

describe('the accounts of a change', () => {
  it('are in its record and in the audit log', async () => {
    await signIn(BEN, 'lee');
    const { request } = await ask(BEN);

    await approve(BEN, request);

    const { body, audit } = readLastChange();
    const accounts = { account: accountOf('kim'), approverAccount: accountOf('lee') };
    expect(body).toMatchObject({ user: KIM, approvedBy: BEN, ...accounts });
    expect(audit.who).toEqual({ user: KIM, approver: BEN, ...accounts });
  });
});

describe('an account without rights', () => {
  it('asks for nothing, so that nobody approves with their other account', async () => {
    const page = await pressSignIn(world, KIM, await giveAdminCommand(world, KIM, 'sign-in'));
    const confirmation = await openConfirmation();
    await followSignIn(world, KIM, 'ana', page);
    const [asked, told] = [direct(BEN).length, readPrivate(world, KIM).length];

    await person(KIM).submit(confirmation, { reason: REASON, approver: BEN });
    const refused = render(await nextPrivate(world, KIM, told));

    expect(refused).toContain('does not allow this to your account');
    expect(direct(BEN)).toHaveLength(asked);
  });
});

describe('an account that is not known', () => {
  it('of the requester is refused in the form, until they sign in again', async () => {
    await signIn(BEN, 'lee');
    forgetAccountOf(KIM);

    const problem = await choose(BEN);
    await signIn(KIM, 'kim');
    const { request } = await ask(BEN);

    expect(problem).toContain('does not know which account you are signed in with');
    expect(problem).toContain('Sign in again with /assistant-admin sign-in');
    expect(await approve(BEN, request)).toContain('*Verified*');
  });

  it('of the approver is refused in the form, and at the click until they sign in again', async () => {
    await signIn(BEN, 'lee');
    const { request } = await ask(BEN);
    forgetAccountOf(BEN);

    const prompt = await pressInVain(BEN, request);
    const problem = await choose(BEN);
    const before = readLimit();
    await signIn(BEN, 'lee', prompt);

    expect(problem).toContain('does not know which account they are signed in with');
    expect(render(prompt)).toContain('does not know which account you are signed in with');
    expect(render(prompt)).toContain('press *Approve* again');
    expect(before).toBe(1_000);
    expect(await approve(BEN, request)).toContain('*Verified*');
  });

  it('of the requester is refused at the click, where the request does not say it', async () => {
    await signIn(BEN, 'lee');
    const { request } = await ask(BEN);
    changeRequests((kept) => delete kept.account);

    const refused = render(await pressInVain(BEN, request));

    expect(refused).toContain('does not say with which account it was asked for');
    expect(readLimit()).toBe(1_000);
  });
});

describe('a request that was changed after it was shown', () => {
  it.each([
    ['values', (kept: KeptRequest) => Object.assign(kept.planned.plan.after, { limit: 99_000 })],
    ['reason', (kept: KeptRequest) => Object.assign(kept, { reason: 'Somebody else wanted this' })],
    ['account', (kept: KeptRequest) => Object.assign(kept, { account: kept.account?.replace('|oid|', '|oid|0') })],
  ])('to other %s is not carried out', async (_, change) => {
    await signIn(BEN, 'lee');
    const { request } = await ask(BEN);
    changeRequests(change);

    const refused = render(await pressInVain(BEN, request));

    expect(refused).toContain('what would be carried out is not what this message shows');
    expect(readLimit()).toBe(1_000);
  });
});
