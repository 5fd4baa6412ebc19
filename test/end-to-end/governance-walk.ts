// An admin who governs a tenant from Slack alone: 200 environments, many agents, and a register without any entry. It counts
// whatever their hand does.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateInventory } from '@assistant-bridge/sandbox/admin/seeds.ts';
import type { Entries } from '@assistant-bridge/sandbox/slack/people/modal.ts';
import type { Message, View } from '@assistant-bridge/sandbox/slack/records.ts';
import { awaitModal, closeModals, giveAdminCommand, readDirect } from '../app/administer.ts';
import { readCsv } from '../governance/exports/sheet-rows.ts';
import { type AdminWorld, KIM, startAdminWorld } from './admin-world.ts';
import { giveReview } from './give-review.ts';
import { withRules } from './plant-drift.ts';

export const ENVIRONMENTS = 200;

/** New environments that draw on the tenant pool, as the service may create them. */
export const ON_POOL = 30;

const PRODUCTION = {
  ...{ which: 'only', environments_1: ['150'], classification: 'funded-production' },
  ...{ approved_credits: 'found', agent_limit: '2000', reason: 'Funded by FIN-14' },
};

const MAKERS = {
  ...{ classification: 'maker-development', approved_credits: 'stated', credits: '100' },
  ...{ agent_limit: '500', agent_stop: ['yes'], reason: 'All others are for makers' },
};

export type GovernanceWalk = AdminWorld & {
  /** What was done so far: each command, click, choice in a window, field filled in, submit, and window closed. */
  countSteps(): number;
  /** The answer to a command. */
  ask(command: string): Promise<string>;
  review(): Promise<Message>;
  /** *Classify many…*, confirmed. Returns the preview and the message about the outcome. */
  classify(report: Message, entries: Entries): Promise<{ preview: string; told: string }>;
  /** *Correct all … at once…*, confirmed. Returns the preview, and the report at the end of it. */
  correctAll(report: Message, entries?: Entries): Promise<{ preview: string; told: string }>;
  /** What the latest report found not in order: `environment|agent`, in the order of their ids. */
  listFound(): Promise<string[]>;
};

/** `thresholdList`: whether the service lets limits be read. */
export async function startGovernanceWalk(agents: number, thresholdList: boolean): Promise<GovernanceWalk> {
  const folder = mkdtempSync(join(tmpdir(), 'register-'));
  const register = join(folder, 'register.yaml');
  writeFileSync(register, 'schema: 1\nenvironments: []\n');
  const inventory = generateInventory({ environments: ENVIRONMENTS, agents });
  const allocations = inventory.allocations.map((one, index) =>
    index < ON_POOL ? withRules(one, { TenantPool: true }) : one,
  );
  const admin = { thresholdList, ...inventory, allocations };
  const world = await startAdminWorld({ admin }, { GOVERNANCE_REGISTER: register });
  const { slack } = world;
  const kim = slack.as(KIM);
  let steps = 0;

  async function press(message: Message, button: string, callbackId: string): Promise<View> {
    steps += 1;
    await kim.click(message, button);
    return awaitModal(world, KIM, callbackId);
  }

  async function submit(view: View, entries: Entries): Promise<void> {
    const choices = Object.values(entries).map((entry) => (Array.isArray(entry) ? entry.length : 1));
    steps += choices.reduce((sum, one) => sum + one, 1);
    const { errors } = await kim.submit(view, entries);
    if (Object.keys(errors).length > 0) throw new Error(`The window complains: ${JSON.stringify(errors)}`);
  }

  async function close(): Promise<void> {
    steps += 1;
    await closeModals(world, KIM);
  }

  function awaitDirect(count: number, text: string): Promise<Message> {
    const find = () =>
      readDirect(world, KIM)
        .slice(count)
        .find((message) => slack.render(message).includes(text));
    return slack.until(find, { what: `a direct message with “${text}”`, timeoutMs: 180_000 });
  }

  return {
    ...world,
    countSteps: () => steps,
    async ask(command) {
      steps += 1;
      return slack.render(await giveAdminCommand(world, KIM, command));
    },
    async review() {
      steps += 1;
      const count = readDirect(world, KIM).length;
      await giveReview(world);
      const report = await awaitDirect(count, 'as of ');
      await awaitDirect(count, 'finished in');
      return report;
    },
    async classify(report, entries) {
      const { reason = '', ...choices } = entries;
      await submit(await press(report, 'Classify many…', 'admin_review_classify_many_form'), choices);
      const preview = await awaitModal(world, KIM, 'admin_review_classify_many_confirm');
      const count = readDirect(world, KIM).length;
      await submit(preview, { reason });
      const told = await awaitDirect(count, ' classified.');
      await close();
      return { preview: slack.render(preview), told: slack.render(told) };
    },
    async correctAll(report, entries = {}) {
      await submit(await press(report, 'admin_review_correct_all', 'admin_review_correct_all_form'), entries);
      const preview = await awaitModal(world, KIM, 'admin_review_correct_all_confirm');
      const count = readDirect(world, KIM).length;
      await submit(preview, {});
      await close();
      const told = await awaitDirect(count, ' changes made');
      return { preview: slack.render(preview), told: slack.render(told) };
    },
    async listFound() {
      const before = readDirect(world, KIM).length;
      await giveAdminCommand(world, KIM, 'review export csv');
      const [id] = readDirect(world, KIM)
        .slice(before)
        .flatMap(({ files = [] }) => files.map((file) => String(file.id)));
      const rows = readCsv(String(slack.workspace.files.get(id ?? '')?.content));
      return [...new Set(rows.filter(({ status }) => status !== 'compliant').map(toPlace))].toSorted();
    },
    async stop() {
      await world.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/**
 * The five steps: find, classify, review, limit and correct, review again. `entries`: of the form of the correction. Returns
 * what she read, as text.
 */
export async function passFiveSteps(walk: GovernanceWalk, entries: Entries = {}) {
  const { render } = walk.slack;
  const agents = await walk.ask('agents harness');
  const found = await walk.review();
  const production = await walk.classify(found, PRODUCTION);
  const makers = await walk.classify(found, MAKERS);
  const drift = await walk.review();
  const corrected = await walk.correctAll(drift, entries);
  const last = await walk.review();
  return { agents, found: render(found), production, makers, drift: render(drift), corrected, last: render(last) };
}

function toPlace({ environment_id, agent_resource_id }: Record<string, string>): string {
  return `${environment_id}|${agent_resource_id ?? ''}`;
}
