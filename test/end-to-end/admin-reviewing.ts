// A world in which an admin reviews against the register's example, which fits the seeds until a test plants drift.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Allocation, CURRENCY } from '@assistant-bridge/sandbox/admin/model.ts';
import { createAdminState, SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { readDirect as readAllDirect } from '../app/administer.ts';
import { type AdminWorld, KIM, startAdminWorld } from './admin-world.ts';
import { giveReview } from './give-review.ts';

export const EXAMPLE = readFileSync(new URL('../../scripts/deploy/governance-register.yaml', import.meta.url), 'utf8');
export const [PRODUCTION = '', MAKERS = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);

export type Reviewing = {
  world: AdminWorld;
  /** The file of the register: the app reads it anew each time. */
  register: string;
  /** As in the beginning. */
  reset(): void;
  /** Kim's direct messages with the app, oldest first. */
  readDirect(): Message[];
  render(message: Message | undefined): string;
  /** Waits for a direct message after the first `count` that says this. */
  awaitDirect(count: number, text: string): Promise<Message>;
  /** Gives the command, and returns the report. */
  review(): Promise<Message>;
  /** The names of what a report lists, with how it stands. */
  readFindings(report: Message): string[];
  turnRule(environmentId: string, ruleType: string, enabled: boolean): void;
  /** New 1, New 2 and so on. */
  addEnvironments(count: number, rules: Record<string, boolean>): void;
  stop(): Promise<void>;
};

export async function startReviewing(): Promise<Reviewing> {
  const folder = mkdtempSync(join(tmpdir(), 'register-'));
  const register = join(folder, 'register.yaml');
  writeFileSync(register, EXAMPLE);
  const world = await startAdminWorld({ admin: { thresholdList: true } }, { GOVERNANCE_REGISTER: register });
  const { state } = world.admin;
  const readDirect = () => readAllDirect(world, KIM);
  const render = (message: Message | undefined) => (message ? world.slack.render(message) : '');

  function awaitDirect(count: number, text: string): Promise<Message> {
    const find = () =>
      readDirect()
        .slice(count)
        .find((message) => render(message).includes(text));
    return world.slack.until(find, { what: `a direct message with “${text}”` });
  }

  return {
    world,
    register,
    reset() {
      writeFileSync(register, EXAMPLE);
      const seeds = createAdminState();
      state.environments.splice(0, Number.POSITIVE_INFINITY, ...seeds.environments);
      state.agents.splice(0, Number.POSITIVE_INFINITY, ...seeds.agents);
      replaceAll(state.allocations, seeds.allocations);
      replaceAll(state.thresholds, seeds.thresholds);
      world.admin.faults.clear();
      world.admin.failing.clear();
      world.slack.faults.clear();
    },
    readDirect,
    render,
    awaitDirect,
    async review() {
      const count = readDirect().length;
      await giveReview(world);
      const report = await awaitDirect(count, 'as of ');
      await awaitDirect(count, 'finished in');
      return report;
    },
    readFindings(report) {
      const lines = render(report).split('\n');
      return lines.flatMap((line) => /^(?:↳ )?\*(.+?)\* · [\w ]+ · (.+)$/.exec(line)?.slice(1, 3).join(': ') ?? []);
    },
    turnRule(environmentId, ruleType, enabled) {
      const allocation = state.allocations.get(environmentId) as Allocation;
      const currencyAllocations = allocation.currencyAllocations.map((one, index) => {
        const enforcementRules = one.enforcementRules.map((rule) =>
          rule.ruleType === ruleType ? { ...rule, enabled } : rule,
        );
        return index === 0 ? { ...one, enforcementRules } : one;
      });
      state.allocations.set(environmentId, { ...allocation, currencyAllocations });
    },
    addEnvironments(count, rules) {
      const enforcementRules = Object.entries(rules).map(([ruleType, enabled]) => ({ ruleType, enabled }));
      for (let index = 1; index <= count; index += 1) {
        const environmentId = `new-${index}`;
        state.environments.push({ name: environmentId, displayName: `New ${index}`, ownerId: 'owner-9' });
        const currency = { currencyType: CURRENCY, allocated: 0, autoAllocated: 0, enforcementRules };
        state.allocations.set(environmentId, { environmentId, currencyAllocations: [currency] });
      }
    },
    async stop() {
      await world.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

function replaceAll<Value>(map: Map<string, Value>, by: ReadonlyMap<string, Value>): void {
  map.clear();
  for (const [key, value] of by) map.set(key, value);
}
