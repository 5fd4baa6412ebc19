// A tenant with many agents that the register's defaults give a limit, and an admin who reviews it and corrects all at once.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CURRENCY } from '@assistant-bridge/sandbox/admin/model.ts';
import { generateInventory } from '@assistant-bridge/sandbox/admin/seeds.ts';
import type { SandboxUser } from '@assistant-bridge/sandbox/sandbox.ts';
import type { Message, View } from '@assistant-bridge/sandbox/slack/records.ts';
import { awaitModal, closeModals, giveAdminCommand, readDirect } from '../app/administer.ts';
import { type AdminWorld, KIM, startAdminWorld } from './admin-world.ts';

export const BEN = 'U0BEN';

export type BulkReviewWorld = AdminWorld & {
  /** Reviews, and returns the report. */
  review(user?: SandboxUser): Promise<Message>;
  /** From the button of the report to the preview. `entries`: of the form before it. */
  preview(report: Message, entries?: Record<string, string>, user?: SandboxUser): Promise<View>;
  /** The first direct message after the first `count` that says this. */
  awaitDirect(user: SandboxUser, count: number, text: string): Promise<Message>;
  /** Ids of agents, in the order in which their limits were set. */
  listPuts(): string[];
};

export const RUNNING = { stopped: 'No, they run' };

export async function startBulkReviewWorld(
  counts: { environments: number; agents: number },
  { thresholdList = true, environment = {} }: { thresholdList?: boolean; environment?: Record<string, string> } = {},
): Promise<BulkReviewWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'register-'));
  const register = join(folder, 'register.yaml');
  const inventory = generateInventory(counts);
  writeFileSync(register, buildRegister(inventory.environments.map(({ name }) => name)));
  const settings = { GOVERNANCE_REGISTER: register, ADMIN_USERS: `${KIM},${BEN}`, ...environment };
  const world = await startAdminWorld({ admin: { thresholdList, ...inventory, thresholds: [] } }, settings);
  const { slack, admin } = world;

  function awaitDirect(user: SandboxUser, count: number, text: string): Promise<Message> {
    const find = () =>
      readDirect(world, user)
        .slice(count)
        .find((message) => slack.render(message).includes(text));
    return slack.until(find, { what: `a direct message with “${text}”` });
  }

  const live: BulkReviewWorld = {
    ...world,
    awaitDirect,
    environment: { ...world.environment, ...settings },
    async review(user = KIM) {
      const count = readDirect(world, user).length;
      // The review before is over once its end is noted, which is a moment after it was told.
      while (slack.render(await giveAdminCommand(world, user, 'review')).includes('runs already')) await sleep(50);
      const report = await awaitDirect(user, count, 'as of ');
      await awaitDirect(user, count, 'finished in');
      return report;
    },
    async preview(report, entries = RUNNING, user = KIM) {
      await closeModals(world, user);
      await slack.as(user).click(report, findLabel(slack.render(report)));
      await slack.as(user).submit(await awaitModal(world, user, 'admin_review_correct_all_form'), entries);
      return awaitModal(world, user, 'admin_review_correct_all_confirm');
    },
    listPuts: () =>
      admin.ledger.requests
        .filter(({ method }) => method === 'PUT')
        .map(({ path }) => /resources\/([^/]+)\/threshold/.exec(path)?.[1] ?? ''),
    async stop() {
      // A test may have started it anew.
      await live.app.kill('SIGTERM');
      await world.stop();
      rmSync(folder, { recursive: true });
    },
  };
  return live;
}

function findLabel(rendered: string): string {
  return /Correct all [\d,]+ at once…/.exec(rendered)?.[0] ?? 'Correct all at once…';
}

/** Approves what generated environments have, and 500 credits a month for each of their agents. */
export function buildRegister(environments: readonly string[]): string {
  const entries = environments.map((name) => `  - { id: ${name}, classification: maker-development }`);
  return `
schema: 1
defaults:
  maker-development:
    allocations:
      ${CURRENCY}: { allocated: 100, rules: { Alert: on, TenantPool: off, PayGo: off, Deny: on } }
    unnamedAgents: { monthlyLimit: 500, alertAt: 80, stopWhenReached: on }
environments:
${entries.join('\n')}
`;
}
