// An admin who governs a tenant from Slack alone: 200 environments, many agents, and no policy yet. It counts whatever their
// hand does.
import { generateInventory } from '@assistant-bridge/sandbox/admin/seeds.ts';
import type { Entries } from '@assistant-bridge/sandbox/slack/people/modal.ts';
import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { awaitModal } from '../app/administer.ts';
import { readCsv } from '../governance/exports/sheet-rows.ts';
import { KIM, PLAN } from './admin-world.ts';
import { type AdminWorld, startAdminWorld } from './live-admin.ts';
import { shareWorld } from './live-world.ts';
import { withRules } from './plant-drift.ts';

export const ENVIRONMENTS = 200;

/** Environments that draw on the tenant pool, as the service may create them. */
export const ON_POOL = 30;

export type GovernanceWalk = AdminWorld & {
  /** Drafts the first policy, confirms its plan, waits for its end, and reviews. `entries`: of the draft's window. */
  passFirstHour(entries: Entries): Promise<{ plan: string; said: string; last: string; interactions: number }>;
  /** Reviews, sets all of it back in one plan, waits for its end, and reviews again. */
  setAllBack(): Promise<{ found: string[]; plan: string; said: string; last: string; interactions: number }>;
};

/** One for a `describe`. `thresholdList`: whether the service shows limits. */
export function shareGovernanceWalk(agents: number, thresholdList: boolean): GovernanceWalk {
  return shareWorld<GovernanceWalk>((world) => startGovernanceWalk(world, agents, thresholdList));
}

async function startGovernanceWalk(world: GovernanceWalk, agents: number, thresholdList: boolean): Promise<void> {
  const inventory = generateInventory({ environments: ENVIRONMENTS, agents });
  const allocations = inventory.allocations.map((one, index) =>
    index < ON_POOL ? withRules(one, { TenantPool: true }) : one,
  );
  await startAdminWorld({ admin: { thresholdList, ...inventory, allocations } }, world);

  /** The places that a report has rows of: `environment|agent`. */
  async function readFound(report: Message): Promise<string[]> {
    const before = world.files().length;
    await world.slack.as(KIM).click(report, 'CSV of all');
    const rows = readCsv((await world.slack.until(() => world.files()[before])).content);
    const differing = rows.filter(({ finding }) => finding !== 'unknown' && finding !== 'ending');
    return [...new Set(differing.map(toPlace))].toSorted();
  }

  Object.assign(world, {
    async passFirstHour(entries) {
      const begun = world.countSteps();
      const empty = await world.awaitSaid(() => world.tell('review'), /The policy is empty/);
      const form = await world.press(empty, 'Draft a policy…');
      await world.submit(form, entries);
      const plan = await awaitModal(world, KIM, PLAN);
      const shown = world.render(plan);
      const said = world.render(await world.decide(plan));
      const last = world.render(await world.review());
      return { plan: shown, said, last, interactions: world.countSteps() - begun };
    },
    async setAllBack() {
      const begun = world.countSteps();
      const report = await world.review();
      const uncounted = world.countSteps();
      const found = await readFound(report);
      const reading = world.countSteps() - uncounted;
      const plan = await world.press(report, 'review_set_back_all');
      const shown = world.render(plan);
      const said = world.render(await world.decide(plan));
      const last = world.render(await world.review());
      return { found, plan: shown, said, last, interactions: world.countSteps() - begun - reading };
    },
  } satisfies Pick<GovernanceWalk, 'passFirstHour' | 'setAllBack'>);
}

function toPlace({ environment_id: environment, agent_id: agent = '' }: Record<string, string>): string {
  return `${environment}|${agent}`;
}
