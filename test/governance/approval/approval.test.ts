import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AdminRefusedError } from '../../../src/admin-api/admin-errors.ts';
import { StoreUnavailableError } from '../../../src/errors.ts';
import { registerApprovals } from '../../../src/governance/approval/approval-buttons.ts';
import { parseApprovalButton } from '../../../src/governance/approval/approval-views.ts';
import { approve, reject } from '../../../src/governance/approval/decide-approval.ts';
import { describeOutcome, describeStates } from '../../../src/governance/lists/log-words.ts';
import { OWN_UNKNOWN } from '../../../src/governance/run/decision-form.ts';
import type { Proposal } from '../../../src/governance/run/engine.ts';
import type { AdminRule } from '../../../src/governance/shell/admin-rules.ts';
import { OutcomeUnknownError } from '../../../src/http/http-errors.ts';
import { type Edit, previewEdits, setEdit, withUntil } from '../../../src/policy/edit.ts';
import { EMPTY_POLICY } from '../../../src/policy/policy.ts';
import type { Limit } from '../../../src/policy/values.ts';
import { SlackRefusedError } from '../../../src/slack/web/slack-errors.ts';
import { aDesk } from '../desk.ts';
import {
  CURRENCY,
  INVOICES,
  KIM,
  LEE,
  MAKERS,
  PRODUCTION,
  type Process,
  startWorld,
  textOf,
  limitOf as toLimitEdit,
  type World,
  writesOf,
} from '../run/run-world.ts';

const MORE: Limit = { credits: 9_000, noticeAt: 80, stopAtLimit: true };
const LESS: Limit = { credits: 9, noticeAt: 80, stopAtLimit: true };
const limitOf = (limit: Limit) => [toLimitEdit(INVOICES, limit)];
const OWNERS = Array.from({ length: 60 }, (_, index) =>
  setEdit('owners', { environmentId: `env-${index}` }, ['ana@contoso.example']),
);

let world: World;
let app: Process;

beforeEach(async () => {
  world = await startWorld();
  world.needsApproval = true;
  app = world.start();
});

afterEach(() => world.close());

/** Asks Lee for more than now. */
async function ask(edits: Edit[] = limitOf(MORE)) {
  return askFor(await app.propose(edits));
}

/** What somebody was told last. */
function heardBy({ user }: typeof KIM): string {
  const said = world.said.findLast(({ to }) => to === user);
  return said ? textOf(said) : '';
}

/** The files that the approver gets from now on. */
function listFiles(): string[] {
  const files: string[] = [];
  app.services.sendFile = async (_to, { content }) => void files.push(content);
  return files;
}

/** What the clicked message becomes from now on. */
function listReplaced(): string[] {
  const shown: string[] = [];
  app.services.clicks.replace = async (_body, content) => Boolean(shown.push(JSON.stringify(content)));
  return shown;
}

async function press(button: { id: string; shown: string }, body: object = {}): Promise<void> {
  const desk = aDesk();
  registerApprovals(desk.shell, app.services);
  const clicked = { caller: LEE, openSession, say: async () => true, body };
  await desk.press('approval_approve', `${button.id}.${button.shown}`, clicked);
}

async function askFor(proposal: Proposal) {
  expect(proposal.needsApprover).toBe(true);
  expect(await app.confirm(proposal, KIM, LEE.user)).toBe('waiting');
  return { ...readButton(), proposal };
}

/** Of the request that the approver has. */
function readButton() {
  const button = parseApprovalButton(/"value":"([^"]+)"/.exec(heardBy(LEE))?.[1]);
  if (button === undefined) throw new Error('there is no button');
  return button;
}

const openSession = async () => app.session;
const limitNow = () => world.thresholdOf('bot-1')?.limit;

async function approveBy(caller: typeof KIM, button: { id: string; shown: string }) {
  const decided = await approve({ ...button, caller, openSession }, app.services);
  await app.settle();
  return decided;
}

describe('what needs a second administrator', () => {
  it('is also what the service allows already, where the policy approved less', async () => {
    await app.carryOut(limitOf(LESS));
    world.setElsewhere('bot-1', { limit: 9_000 });

    const keep = await app.propose(limitOf(MORE));

    expect(keep.plan.items).toEqual([]);
    expect(keep.needsApprover).toBe(true);
  });
});

describe('a request', () => {
  it('shows the approver the whole plan, and changes nothing', async () => {
    await ask();

    expect(heardBy(LEE)).toMatch(
      /asks you to approve.*Invoice Reader.*5,000 credits → 9,000 credits.*because of the trial/s,
    );
    expect(writesOf(world)).toEqual([]);
    expect((await app.services.policy.read()).policy.revision).toBe(0);
    const [entry] = await app.log(1);
    expect(entry).toMatchObject({ what: 'approval_requested', who: { user: KIM.user, approver: LEE.user } });
    expect(entry?.subject).toMatchObject({ environmentId: PRODUCTION, agentId: INVOICES.agentId });
    expect(entry && describeStates(entry)).toBe('limit 5,000 credits → 9,000 credits');
    expect(entry && describeOutcome(entry, false)).toBeUndefined();
  });

  it('brings all of it as a file, also what changes in the policy alone', async () => {
    const files = listFiles();
    await ask([...limitOf(MORE), ...OWNERS]);

    expect(files).toHaveLength(1);
    expect(files[0]).toContain('policy: owners,,env-59,');
    expect(files[0]).toContain('agent-1');
    expect(heardBy(LEE)).toMatch(/asks you to approve 61 changes.*All of it is in the file above.*Approve all 61/s);
  });

  it('cuts nothing of one change, however much that says', async () => {
    const files = listFiles();
    const rules = { Alert: true, TenantPool: false, PayGo: false, Deny: true };
    const toCredits = (rules_: typeof rules) =>
      Object.fromEntries([CURRENCY, 'Images'].map((currency) => [currency, { allocated: 25_000, rules: rules_ }]));
    const toStandard = (rules_: typeof rules) => [
      setEdit('standard', { className: 'maker' }, { limit: MORE, credits: toCredits(rules_) }),
    ];
    await app.carryOut(toStandard(rules));

    await ask(toStandard({ ...rules, PayGo: true }));

    expect(files).toEqual([]);
    expect(heardBy(LEE)).toMatch(/class \*maker\*.*ServiceMessages: 25,000.*Images: 25,000.*Deny when used up: on"/);
  });

  it('brings the file also where one line is longer than a section', async () => {
    const files = listFiles();
    const credits = { allocated: 90_000, rules: { Alert: true, TenantPool: true, PayGo: true, Deny: false } };
    const currencies = Array.from({ length: 60 }, (_, index) => `Currency ${index}`);

    await ask(currencies.map((currency) => setEdit('credits', { environmentId: MAKERS, currency }, credits)));

    expect(files.join()).toContain('Currency 59');
    expect(heardBy(LEE)).toContain('All of it is in the file above');
  });

  it('has whole names, and brings no file where one has an ellipsis of its own', async () => {
    const files = listFiles();
    const name = `${'Invoices of all subsidiaries '.repeat(5)}and more…`;
    const agent = world.admin.state.agents.find((one) => one.name === INVOICES.agentId);
    if (agent) Object.assign(agent, { displayName: name });

    await ask();

    expect(files).toEqual([]);
    expect(heardBy(LEE)).toContain(`*${name}*`);
  });

  it('brings warnings and the reason in the file where the message has to cut one of them', async () => {
    const files = listFiles();
    const short = 'Runs again at once.';
    for (const [warning, reason] of [[short, '&'.repeat(400)] as const, [short.repeat(800), 'because'] as const]) {
      const said = { caller: KIM, reason, approver: LEE.user, say: async () => true, replyTo: '' };
      const proposal = await app.propose(limitOf(MORE));

      await app.services.engine.confirm({ ...proposal, warnings: [warning] }, said);

      expect(files.pop()).toMatch(new RegExp(`warning,${warning},[^]*reason,${reason},`));
    }
  });

  it('is not made with an account that nobody knows', async () => {
    world.accounts.delete(KIM.user);

    await expect(app.confirm(await app.propose(limitOf(MORE)), KIM, LEE.user)).rejects.toThrow(OWN_UNKNOWN);
  });

  it('is not made where the approver can be shown a part alone', async () => {
    app.services.sendFile = async () => {
      throw new SlackRefusedError('files.completeUploadExternal', 'missing_scope');
    };
    const proposal = await app.propose([...limitOf(MORE), ...OWNERS]);

    await expect(app.confirm(proposal, KIM, LEE.user)).rejects.toThrow(/did not take the file.*nobody was asked/);

    expect(heardBy(LEE)).toBe('');
    expect(await app.services.approvals.get(proposal.plan.id)).toMatchObject({ state: 'withdrawn' });
  });

  it('approved, is carried out once, in the name of both, and both hear of it', async () => {
    const button = await ask();

    const decided = [await approveBy(LEE, button), await approveBy(LEE, button)];

    expect(decided.map(({ kind }) => kind)).toEqual(['approved', 'closed']);
    expect(limitNow()).toBe(9_000);
    expect(writesOf(world)).toHaveLength(1);
    const outcomes = world.said.filter((said) => textOf(said).includes('Read back'));
    expect(outcomes.map(({ to }) => to).toSorted()).toEqual([KIM.user, LEE.user]);
    expect((await app.log()).find(({ what }) => what === 'plan_confirmed')?.who).toMatchObject({
      user: KIM.user,
      approver: LEE.user,
    });
  });

  it('approved by a double click, says twice that it was approved, and once that they hear how it ends', async () => {
    const shown = listReplaced();
    const button = await ask();

    await press(button);
    await press(button);

    expect(shown).toEqual(Array(2).fill(expect.stringContaining('✓ You approved this on')));
    expect(shown.map((one) => one.includes('You hear how it ends'))).toEqual([true, false]);
  });

  it('that is not stored any more still says what was asked, but not that it is open', async () => {
    const shown = listReplaced();
    const button = await ask();
    const blocks = world.said.findLast(({ to }) => to === LEE.user)?.content.blocks;

    await press({ ...button, id: 'a1b2c3d4e5f6' }, { message: { blocks } });

    expect(shown.join()).toMatch(/asks you to approve.*9,000 credits.*because of the trial.*This request is too old/s);
    expect(shown.join()).not.toMatch(/approval_approve|Open until/);
  });

  it('rejected, changes nothing, and cannot be approved any more', async () => {
    const button = await ask();

    const rejected = await reject({ id: button.id, caller: LEE, said: 'not before the audit' }, app.services);

    expect(rejected.kind).toBe('rejected');
    expect(await approveBy(LEE, button)).toMatchObject({ kind: 'closed', approval: { said: 'not before the audit' } });
    expect(writesOf(world)).toEqual([]);
    const [entry] = await app.log(1);
    expect(entry).toMatchObject({
      ...{ what: 'approval_rejected', outcome: { kind: 'refused', said: 'not before the audit' } },
      who: { user: KIM.user, approver: LEE.user, approverAccount: 'https://idp|oid|lee' },
    });
  });

  it('is for whoever was asked, with another account, and for just what was shown', async () => {
    const button = await ask();

    const refused = (caller: typeof KIM, shown = button.shown) =>
      approveBy(caller, { ...button, shown }).then(String, (error) => error.code);
    expect(await refused(KIM)).toBe('own_request');
    expect(await refused({ ...LEE, user: 'U0EVE' })).toBe('not_named');
    expect(await refused(LEE, 'x'.repeat(43))).toBe('not_as_shown');
    world.accounts.set(LEE.user, 'https://idp|oid|kim');
    expect(await refused(LEE)).toBe('same_account');
    world.accounts.delete(LEE.user);
    expect(await refused(LEE)).toBe('account_not_linked');
    expect(writesOf(world)).toEqual([]);
  });

  it('is for people who may read all that it changes, not its first part alone', async () => {
    const credits = { allocated: 90_000, rules: {} };
    const edits = [...limitOf(MORE), setEdit('credits', { environmentId: MAKERS, currency: CURRENCY }, credits)];
    const proposal = await app.propose(edits);
    const button = await askFor(proposal);
    const findAgents = async () => {
      throw new AdminRefusedError('admin_forbidden', 'query inventory');
    };
    const refused = { caller: LEE, openSession: async () => ({ ...app.session, findAgents }) };

    await expect(approve({ ...button, ...refused }, app.services)).rejects.toMatchObject({ code: 'admin_forbidden' });

    expect(writesOf(world)).toEqual([]);
    app.services.openSession = refused.openSession;
    const again = { ...proposal, plan: { ...proposal.plan, id: 'a1b2c3d4e5f6' } };
    await expect(app.confirm(again, KIM, LEE.user)).rejects.toMatchObject({ code: 'admin_forbidden' });
  });

  it('stays open for a day, also where who asked is no administrator any more', async () => {
    const [button, other] = [await ask(), await ask()];
    world.gone.add(KIM.user);

    await expect(approveBy(LEE, button)).rejects.toMatchObject({ code: 'requester_gone' });

    world.gone.clear();
    world.later = 23.9 * 3_600_000;
    expect(await approveBy(LEE, button)).toMatchObject({ kind: 'approved' });
    world.later = 24 * 3_600_000;
    expect(await approveBy(LEE, other)).toMatchObject({ kind: 'closed', approval: { state: 'asked' } });
  });

  it.each(['sets', 'puts back'])('ends with the last day of what it %s', async (what) => {
    const noon = Math.ceil(Date.now() / 86_400_000) * 86_400_000 + 12 * 3_600_000;
    world.later = noon - Date.now();
    const today = new Date(noon).toISOString().slice(0, 10);
    const edits = limitOf(MORE).map((edit) => withUntil(edit, today));
    const { entries } = previewEdits(EMPTY_POLICY, edits);
    const [entry] = Object.values(entries);
    const restored = edits.map((edit): Edit => ({ ...edit, change: { kind: 'restore', entry } }));
    await app.carryOut(limitOf(LESS));
    const button = await ask(what === 'sets' ? edits : restored);
    world.later += 13 * 3_600_000;

    expect(await approveBy(LEE, button)).toMatchObject({ kind: 'closed' });

    expect(limitNow()).toBe(9);
  });

  it('is withdrawn where somebody changed the same meanwhile, and who asked hears of it as their own', async () => {
    const button = await ask();
    await app.carryOut(limitOf(LESS));

    await press(button);

    const own = `<@${LEE.user}> approved a change (plan ${button.id}). Somebody changed this meanwhile`;
    expect(heardBy(KIM)).toContain(own);
    expect(heardBy(KIM)).not.toContain('asked you');
    expect(await approveBy(LEE, button)).toMatchObject({ kind: 'closed', approval: { state: 'withdrawn' } });
    expect(limitNow()).toBe(9);
    const [entry, before] = await app.log(2);
    expect([entry?.what, before?.what]).toEqual(['approval_outdated', 'item_ended']);
    expect(entry).toMatchObject({
      ...{ subject: { planId: button.id }, reason: 'because of the trial' },
      who: { user: KIM.user, approver: LEE.user, approverAccount: 'https://idp|oid|lee' },
    });
    expect(entry && describeOutcome(entry, false)).toBe('changed by somebody else');
  });

  it('stays open, as its approver reads, where the store fails at the click', async () => {
    const button = await ask();
    app.services.known.read = async () => {
      throw new StoreUnavailableError('the store is down');
    };

    await expect(press(button)).rejects.toMatchObject({ code: 'store_unavailable' });

    await app.settle();
    expect(limitNow()).toBe(5_000);
  });

  it('with rules of channels is for administrators of all of the organisation alone', async () => {
    const rules: AdminRule[] = [{ kind: 'user', user: KIM.user }];
    const lee = { ...LEE, homeTeam: 'T2' };
    app.services.rules = [...rules, { kind: 'user', team: 'T2', user: LEE.user }];
    await app.carryOut(limitOf(LESS));
    const edits = [...limitOf(MORE), setEdit('webSearch', { workspace: 'T1', channel: '*' }, false)];
    const button = await ask(edits);

    await expect(approveBy(lee, button)).rejects.toMatchObject({ code: 'not_admin_of_all' });

    expect((await app.services.policy.read()).policy.revision).toBe(1);
    app.services.rules = [...rules, { kind: 'user', user: LEE.user }];
    expect(await approveBy(lee, button)).toMatchObject({ kind: 'approved' });
  });

  it('is asked once, however often it is confirmed', async () => {
    const { proposal } = await ask();

    expect(await app.confirm(proposal, KIM, LEE.user)).toBe('waiting');

    expect(world.said.filter(({ to }) => to === LEE.user)).toHaveLength(1);
  });

  it('is withdrawn where Slack does not confirm it, and is not said to have been refused', async () => {
    const { postDirect } = app.services.messenger;
    Object.assign(app.services.messenger, {
      // Slack took it, and its answer was lost.
      postDirect: async (...message: Parameters<typeof postDirect>) => {
        await postDirect(...message);
        throw new OutcomeUnknownError('chat.postMessage', 'reset');
      },
    });
    const proposal = await app.propose(limitOf(MORE));

    await expect(app.confirm(proposal, KIM, LEE.user)).rejects.toThrow(/did not confirm.*was withdrawn/);

    expect(await approveBy(LEE, readButton())).toMatchObject({ kind: 'closed', approval: { state: 'withdrawn' } });
    expect(writesOf(world)).toEqual([]);
  });
});
