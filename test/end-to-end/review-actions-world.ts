// What tests of the buttons under a report share: the app beside the register's example, with drift planted into it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Allocation, CURRENCY, type Threshold, toThresholdKey } from '@assistant-bridge/sandbox/admin/model.ts';
import { createAdminState, SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import type { Json, Message, View } from '@assistant-bridge/sandbox/slack/records.ts';
import type { OverlayRecord } from '../../src/governance/register/overlay.ts';
import { closeModals, readDirect as readAllDirect } from '../app/administer.ts';
import { type AdminWorld, KIM, startAdminWorld } from './admin-world.ts';
import { giveReview } from './give-review.ts';

export const EXAMPLE = readFileSync(new URL('../../scripts/deploy/governance-register.yaml', import.meta.url), 'utf8');
export const [PRODUCTION = '', MAKERS = '', DEFAULT = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);

export type ReviewActionsWorld = AdminWorld & {
  writeRegister(text: string): void;
  /** The register's example, and a tenant as it approves. Decisions of tests before stay, unless they are forgotten. */
  reset(): Promise<void>;
  forgetDecisions(): void;
  readDecisions(): OverlayRecord[];
  /** Changes decisions that were made, as time would. */
  ageDecisions(expiresOn: string): void;
  forgetReports(): void;
  readAudit(): { what: string; subject: Json; after: Json; outcome: Json; reason: string }[];
  turnRule(environmentId: string, ruleType: string, enabled: boolean): void;
  setCredits(environmentId: string, allocated: number): void;
  setThreshold(environmentId: string, resourceId: string, values: Partial<Threshold>): void;
  addEnvironment(environmentId: string, displayName: string, rules: Record<string, boolean>): void;
  readDirect(): Message[];
  /** The first direct message after the first `count` that says this. */
  awaitDirect(count: number, text: string): Promise<Message>;
  /** Gives the command, and returns the report. */
  review(): Promise<Message>;
  /** Presses the first such button of a report, and waits for the modal. */
  press(report: Message, button: string, callbackId?: string): Promise<View>;
  /** The modal in front of Kim once it says this. */
  awaitShown(text: string): Promise<string>;
};

export async function startReviewActionsWorld(environment: Record<string, string> = {}): Promise<ReviewActionsWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'register-'));
  const register = join(folder, 'register.yaml');
  writeFileSync(register, EXAMPLE);
  const world = await startAdminWorld(
    { admin: { thresholdList: true } },
    { GOVERNANCE_REGISTER: register, ...environment },
  );
  const { slack, admin } = world;
  const kim = () => slack.as(KIM);
  const readDirect = () => readAllDirect(world, KIM);

  function query<Result>(work: (database: DatabaseSync) => Result): Result {
    const database = new DatabaseSync(world.environment.SQLITE_PATH ?? '', { timeout: 5_000 });
    try {
      return work(database);
    } finally {
      database.close();
    }
  }

  function readBodies<Body>(kind: 'overlay' | 'audit'): Body[] {
    return query((database) =>
      database
        .prepare("SELECT body FROM documents WHERE key LIKE ? || ':%' ORDER BY place")
        .all(kind)
        .map(({ body }) => JSON.parse(String(body)) as Body),
    );
  }

  function changeCurrency(
    environmentId: string,
    change: (one: Allocation['currencyAllocations'][number]) => Partial<Allocation['currencyAllocations'][number]>,
  ): void {
    const allocation = admin.state.allocations.get(environmentId) as Allocation;
    const [first, ...rest] = allocation.currencyAllocations;
    const currencyAllocations = first === undefined ? rest : [{ ...first, ...change(first) }, ...rest];
    admin.state.allocations.set(environmentId, { ...allocation, currencyAllocations });
  }

  function awaitDirect(count: number, text: string): Promise<Message> {
    const find = () =>
      readDirect()
        .slice(count)
        .find((message) => slack.render(message).includes(text));
    return slack.until(find, { what: `a direct message with “${text}”` });
  }

  return {
    ...world,
    writeRegister: (text) => writeFileSync(register, text),
    async reset() {
      writeFileSync(register, EXAMPLE);
      admin.faults.clear();
      slack.faults.clear();
      await closeModals(world, KIM);
      const seeds = createAdminState();
      admin.state.environments.splice(0, Number.POSITIVE_INFINITY, ...seeds.environments);
      admin.state.agents.splice(0, Number.POSITIVE_INFINITY, ...seeds.agents);
      for (const part of ['allocations', 'thresholds'] as const) {
        admin.state[part].clear();
        for (const [key, value] of seeds[part]) (admin.state[part] as Map<string, unknown>).set(key, value);
      }
      admin.ledger.clear();
    },
    forgetDecisions: () =>
      query((database) =>
        database.exec("DELETE FROM entries WHERE name = 'overlay'; DELETE FROM documents WHERE key LIKE 'overlay:%'"),
      ),
    readDecisions: () => readBodies<OverlayRecord>('overlay'),
    ageDecisions: (expiresOn) =>
      query((database) => {
        const older = "UPDATE documents SET body = json_set(body, '$.expiresOn', ?) WHERE key LIKE 'overlay:%'";
        database.prepare(older).run(expiresOn);
      }),
    forgetReports: () => query((database) => database.exec("DELETE FROM documents WHERE key LIKE 'once:report:%'")),
    readAudit: () => readBodies('audit'),
    turnRule: (environmentId, ruleType, enabled) =>
      changeCurrency(environmentId, ({ enforcementRules }) => ({
        enforcementRules: enforcementRules.map((rule) => (rule.ruleType === ruleType ? { ...rule, enabled } : rule)),
      })),
    setCredits: (environmentId, allocated) => changeCurrency(environmentId, () => ({ allocated })),
    setThreshold(environmentId, resourceId, values) {
      const key = toThresholdKey(environmentId, resourceId);
      const threshold = admin.state.thresholds.get(key);
      if (threshold === undefined) throw new Error(`there is no threshold of ${resourceId}`);
      admin.state.thresholds.set(key, { ...threshold, ...values });
    },
    addEnvironment(environmentId, displayName, rules) {
      const enforcementRules = Object.entries(rules).map(([ruleType, enabled]) => ({ ruleType, enabled }));
      const currency = { currencyType: CURRENCY, allocated: 0, autoAllocated: 0, enforcementRules };
      admin.state.environments.push({ name: environmentId, displayName, ownerId: 'owner-9' });
      admin.state.allocations.set(environmentId, { environmentId, currencyAllocations: [currency] });
    },
    readDirect,
    awaitDirect,
    async review() {
      const count = readDirect().length;
      await giveReview(world);
      const report = await awaitDirect(count, 'as of ');
      await awaitDirect(count, 'finished in');
      return report;
    },
    async press(report, button, callbackId) {
      await kim().click(report, button);
      return slack.until(
        () => {
          const view = kim().openView();
          const isReady =
            callbackId === undefined ? !view?.callbackId.endsWith('_loading') : view?.callbackId === callbackId;
          return isReady ? view : undefined;
        },
        { what: `the modal ${callbackId ?? ''} behind ${button}` },
      );
    },
    awaitShown: (text) =>
      slack.until(
        () => {
          const view = kim().openView();
          const shown = view ? slack.render(view) : '';
          return shown.includes(text) ? shown : undefined;
        },
        { what: `a modal with “${text}”` },
      ),
    async stop() {
      await world.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
