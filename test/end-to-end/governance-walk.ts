// An admin who governs a tenant from Slack alone: 200 environments, many agents, and no policy yet. It counts whatever their
// hand does.
import { generateInventory } from '@assistant-bridge/sandbox/admin/seeds.ts';
import type { Entries } from '@assistant-bridge/sandbox/slack/people/modal.ts';
import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { readDirect } from '../app/administer.ts';
import { readCsv } from '../governance/exports/sheet-rows.ts';
import { type AdminWorld, KIM, startAdminWorld } from './admin-world.ts';
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

/** `thresholdList`: whether the service shows limits. */
export async function startGovernanceWalk(agents: number, thresholdList: boolean): Promise<GovernanceWalk> {
  const inventory = generateInventory({ environments: ENVIRONMENTS, agents });
  const allocations = inventory.allocations.map((one, index) =>
    index < ON_POOL ? withRules(one, { TenantPool: true }) : one,
  );
  const world = await startAdminWorld({ admin: { thresholdList, ...inventory, allocations } });

  /** The places that a report has rows of: `environment|agent`. */
  async function readFound(report: Message): Promise<string[]> {
    const before = readDirect(world, KIM).length;
    await world.slack.as(KIM).click(report, 'CSV of all');
    const file = await world.slack.until(
      () =>
        readDirect(world, KIM)
          .slice(before)
          .flatMap(({ files = [] }) => files)[0],
    );
    const rows = readCsv(String(world.slack.workspace.files.get(String(file.id))?.content));
    const differing = rows.filter(({ finding }) => finding !== 'unknown' && finding !== 'ending');
    return [...new Set(differing.map(toPlace))].toSorted();
  }

  return {
    ...world,
    async passFirstHour(entries) {
      const begun = world.countSteps();
      const empty = await world.awaitSaid(() => world.tell('review'), /The policy is empty/);
      const form = await world.press(empty, 'Draft a policy…');
      await world.submit(form, entries);
      const plan = await world.slack.until(
        () => {
          const view = world.slack.as(KIM).openView();
          return view?.callbackId === 'plan_confirm' ? view : undefined;
        },
        { what: 'the plan of the draft', timeoutMs: 150_000 },
      );
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
  };
}

function toPlace({ environment_id: environment, agent_id: agent = '' }: Record<string, string>): string {
  return `${environment}|${agent}`;
}
