// The first day with a register: nothing is in it, and there are 200 environments. The real app against the stand-ins.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { generateInventory } from '@assistant-bridge/sandbox/admin/seeds.ts';
import type { Message, View } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClassificationRecord, OverlayRecord } from '../../src/governance/register/overlay.ts';
import { readRegister } from '../../src/governance/register/read-register.ts';
import { awaitModal, closeModals, giveAdminCommand, readDirect } from '../app/administer.ts';
import { type AdminWorld, KIM, startAdminWorld } from './admin-world.ts';
import { giveReview } from './give-review.ts';

const ENVIRONMENTS = 200;
const REASON = 'Agreed with finance, FIN-14';
const EMPTY = 'schema: 1\nenvironments: []\n';

const FIRST = `
  # Environment 0
  # 2 agents, 0 with a limit that is known.
  # DECIDE: write maker-development or funded-production in the place of undecided.
  - id: environment-000000
    name: Environment 0
    classification: undecided
    owners: [ owner-0 ]
    allocations: { ServiceMessages: { allocated: 100,`;

const folder = mkdtempSync(join(tmpdir(), 'register-'));
const register = join(folder, 'register.yaml');

let world: AdminWorld;

beforeAll(async () => {
  writeFileSync(register, EMPTY);
  const inventory = generateInventory({ environments: ENVIRONMENTS, agents: 400 });
  world = await startAdminWorld({ admin: { thresholdList: true, ...inventory } }, { GOVERNANCE_REGISTER: register });
});
afterAll(async () => {
  await world.stop();
  rmSync(folder, { recursive: true });
});

const kim = () => world.slack.as(KIM);
const render = (shown: View | Message) => world.slack.render(shown as View);

function awaitDirect(count: number, text: string): Promise<Message> {
  const find = () =>
    readDirect(world, KIM)
      .slice(count)
      .find((message) => render(message).includes(text));
  return world.slack.until(find, { what: `a direct message with “${text}”` });
}

async function review(): Promise<Message> {
  const count = readDirect(world, KIM).length;
  await giveReview(world);
  const report = await awaitDirect(count, 'as of ');
  await awaitDirect(count, 'finished in');
  return report;
}

async function press(message: Message, button: string, callbackId: string): Promise<View> {
  await kim().click(message, button);
  return awaitModal(world, KIM, callbackId);
}

function readBodies<Body>(kind: 'overlay' | 'audit'): Body[] {
  const database = new DatabaseSync(world.environment.SQLITE_PATH ?? '', { timeout: 5_000 });
  try {
    const rows = database.prepare("SELECT body FROM documents WHERE key LIKE ? || ':%' ORDER BY place").all(kind);
    return rows.map(({ body }) => JSON.parse(String(body)) as Body);
  } finally {
    database.close();
  }
}

/** The content of the file that is announced so. */
async function readFile(count: number, announced: string): Promise<string> {
  const { files = [] } = await awaitDirect(count, announced);
  expect(files.map(({ name }) => String(name))).toEqual([expect.stringMatching(/^register-draft-.*\.yaml$/)]);
  return String(world.slack.workspace.files.get(String(files[0]?.id))?.content);
}

describe('an empty register and 200 environments', () => {
  it('are drafted as a register that is in order, and in which nobody has decided anything', async () => {
    const count = readDirect(world, KIM).length;

    const said = await world.tell('review draft');
    const yaml = await readFile(count, '*A draft of the register*: 200 environments');
    const read = readRegister(yaml);

    expect(said).toContain('I am reading all environments and agents');
    expect(yaml).toContain(FIRST);
    expect(yaml.match(/DECIDE: /g)).toHaveLength(ENVIRONMENTS);
    expect('register' in read && read.register.undecided).toHaveLength(ENVIRONMENTS);
    const decided = readRegister(yaml.replaceAll(': undecided', ': funded-production'));
    expect('register' in decided && decided.register.environments).toHaveLength(ENVIRONMENTS);
    writeFileSync(register, yaml);
    expect(render(await review())).toContain('200 not in the register');
    const again = await world.tell('review draft');
    expect(again).toContain('I am reading');
    writeFileSync(register, EMPTY);
  });

  it('are shown before anything is recorded: those that were chosen, or why they are left out', async () => {
    const report = await review();
    const entries = {
      which: 'only',
      environments_0: ['7'],
      environments_1: ['150'],
      classification: 'maker-development',
    };
    world.admin.faults.next('403', { on: 'read-allocation' });

    const form = await press(report, 'Classify many…', 'admin_review_classify_many_form');
    await kim().submit(form, { ...entries, approved_credits: 'found' });
    const confirmation = render(await awaitModal(world, KIM, 'admin_review_classify_many_confirm'));
    await closeModals(world, KIM);

    expect(render(form)).toContain('*200 environments are not in the register.*');
    expect(render(form)).toContain('Environments 101 to 200');
    expect(confirmation).toContain('*1 environment* becomes *maker development*');
    expect(confirmation).toMatch(/Environment \d+: 100 ServiceMessages, /);
    expect(confirmation).toMatch(/\*Left out\*\n• Environment \d+: the service does not let your account read this/);
    expect(readBodies('overlay')).toEqual([]);
  });

  it('are classified with one choice, one reason and one confirmation, each with what was found of it', async () => {
    const report = await review();
    const form = await press(report, 'Classify many…', 'admin_review_classify_many_form');
    const entries = { classification: 'funded-production', approved_credits: 'found', agent_limit: '500' };

    await kim().submit(form, entries);
    const confirmation = await awaitModal(world, KIM, 'admin_review_classify_many_confirm');
    const count = readDirect(world, KIM).length;
    await kim().submit(confirmation, { reason: REASON });
    const told = await awaitDirect(count, ' classified.');

    expect(render(report)).toContain('200 not in the register');
    expect(render(confirmation)).toContain('*200 environments* become *funded production*.');
    expect(render(told)).toContain('*Bulk change*: 200 of 200 environments classified.');
    const records = readBodies<OverlayRecord>('overlay');
    expect(new Set(records.map(({ environmentId }) => environmentId)).size).toBe(ENVIRONMENTS);
    expect(records[0]).toMatchObject({ kind: 'classification', reason: REASON, unnamedAgents: { monthlyLimit: 500 } });
    const audited = readBodies<{ what: string; reason: string; outcome: { kind: string } }>('audit');
    const done = audited.filter(({ what, outcome }) => what === 'environment_classified' && outcome.kind === 'done');
    expect(done).toHaveLength(ENVIRONMENTS);
    expect(new Set(done.map(({ reason }) => reason))).toEqual(new Set([REASON]));
    await closeModals(world, KIM);
    expect(render(await review())).toMatch(/\*200 environments\*\s+200 as approved/);
  });

  it('can be classified otherwise, and a classification can be withdrawn', async () => {
    const listed = await giveAdminCommand(world, KIM, 'review classifications environment-000017');
    const form = await press(listed, 'Change or withdraw…', 'admin_review_reclassify_form');
    const count = readDirect(world, KIM).length;

    await kim().submit(form, {
      classification: 'maker-development',
      approved_credits: 'stated',
      credits: '7',
      reason: REASON,
    });
    await world.slack.until(() => kim().openView()?.callbackId === 'admin_review_reclassify_notice');
    const changed = render(kim().openView() as View);
    await closeModals(world, KIM);
    const audited = await world.tell('audit');
    const again = await giveAdminCommand(world, KIM, 'review classifications environment-000017');
    await kim().submit(await press(again, 'Change or withdraw…', 'admin_review_reclassify_form'), {
      classification: 'withdrawn',
      reason: REASON,
    });
    await world.slack.until(() => kim().openView()?.callbackId === 'admin_review_reclassify_notice');
    const withdrawn = render(kim().openView() as View);
    await closeModals(world, KIM);

    expect(render(listed)).toMatch(/\*Classified in Slack\*: \d+ environments? matching “environment-000017”/);
    expect(render(form)).toContain('What is recorded with it now');
    expect(changed).toContain('*Classified*: *Environment 17');
    expect(changed).toContain('7 credits');
    expect(audited).toContain('ServiceMessages: 7 credits, Alert on, TenantPool off, PayGo off, Deny on');
    expect(withdrawn).toContain('is not in the register any more, where it was maker development.');
    expect(await world.tell('review classifications environment-000017')).toContain('0 environments');
    const [last, before] = readBodies<ClassificationRecord>('overlay').toReversed();
    expect(before).toMatchObject({ classification: 'maker-development', allocations: [{ allocated: 7 }] });
    expect(last).toMatchObject({ isWithdrawn: true, replaces: before?.id, reason: REASON });
    expect(await world.tell('audit')).toContain('Withdrawn: *maker development*');
    expect(render(await review())).toContain('1 not in the register');
    expect(readDirect(world, KIM).length).toBeGreaterThan(count);
  });
});
