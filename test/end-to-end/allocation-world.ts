// A world with environments whose credits are set, and what admins do there.
import { DatabaseSync } from 'node:sqlite';
import { type Allocation, CURRENCY, type CurrencyAllocation } from '@assistant-bridge/sandbox/admin/model.ts';
import type { Entries } from '@assistant-bridge/sandbox/slack/people/modal.ts';
import type { Json, View } from '@assistant-bridge/sandbox/slack/records.ts';
import { awaitModal, closeModals, nextPrivate, readPrivate } from '../app/administer.ts';
import { type AdminWorld, KIM, startAdminWorld, WHY } from './admin-world.ts';

export const ANA = 'U0ANA';

/** An environment whose id has quotes in it. */
export const ODD = `env-'7"`;

export type AllocationWorld = AdminWorld & {
  /** As it is again after `reset`. */
  seeds: ReadonlyMap<string, Allocation>;
  reset(): Promise<void>;
  /** Gives the command, and waits for the modal. */
  open(text: string, user?: string): Promise<View>;
  /** Fills the form, and goes as far as the confirmation. */
  review(form: View, entries: Entries, user?: string): Promise<View>;
  /** Sends it with a reason, and returns the message about how it ended. */
  confirm(confirmation: View, user?: string): Promise<string>;
  /** What the modal says, once it says how it ended. */
  readOutcomeModal(): Promise<string>;
  creditsOf(environment: string, currency?: string): CurrencyAllocation | undefined;
  countWrites(): number;
};

/** Kim and Ana are admins of the app; Kim has signed in. */
export async function startAllocationWorld(): Promise<AllocationWorld> {
  const world = await startAdminWorld({}, { ADMIN_USERS: `${ANA}, ${KIM}` });
  const { slack, admin } = world;
  const { environments, allocations } = admin.state;
  environments.push({ name: ODD, displayName: 'Odd one', ownerId: 'o' });
  const currencyAllocations = [{ currencyType: CURRENCY, allocated: 5, autoAllocated: 0, enforcementRules: [] }];
  allocations.set(ODD, { environmentId: ODD, currencyAllocations });
  const seeds = new Map(structuredClone([...allocations]));
  const findOutcome = () => {
    const view = slack.as(KIM).openView();
    const isOver = view?.callbackId === 'admin_allocation_outcome' && !slack.render(view).includes('Setting the');
    return isOver ? view : undefined;
  };
  return {
    ...world,
    seeds,
    async reset() {
      admin.faults.clear();
      for (const user of [KIM, ANA]) await closeModals(world, user);
      for (const [id, allocation] of seeds) allocations.set(id, structuredClone(allocation));
      admin.ledger.clear();
    },
    async open(text, user = KIM) {
      await slack.as(user).command('/assistant-admin', `allocation ${text}`, 'C0GENERAL');
      return awaitModal(world, user);
    },
    async review(form, entries, user = KIM) {
      await slack.as(user).submit(form, entries);
      return awaitModal(world, user, 'admin_allocation_confirm');
    },
    async confirm(confirmation, user = KIM) {
      const count = readPrivate(world, user).length;
      await slack.as(user).submit(confirmation, WHY);
      return slack.render(await nextPrivate(world, user, count));
    },
    readOutcomeModal: async () => slack.render(await slack.until(findOutcome, { what: 'the outcome in the modal' })),
    creditsOf: (environment, currency = CURRENCY) =>
      allocations
        .get(environment.toLowerCase())
        ?.currencyAllocations.find(({ currencyType }) => currencyType === currency),
    countWrites: () => admin.ledger.count(({ method }) => method === 'PATCH'),
  };
}

export function ruleOf(credits: CurrencyAllocation | undefined, rule: string): boolean | undefined {
  return credits?.enforcementRules.find(({ ruleType }) => ruleType === rule)?.enabled;
}

/** What Slack sends of what this person does, beside what they do. */
export function forge(type: string, user: string): Json {
  return {
    type,
    team: { id: 'T0001', domain: 'acme' },
    user: { id: user, username: user, team_id: 'T0001' },
    trigger_id: '1.1.forged',
  };
}

/** The records of all changes, beside the running app. */
export function readChanges({ environment }: AdminWorld): Json[] {
  const database = new DatabaseSync(environment.SQLITE_PATH ?? '', { readOnly: true });
  const rows = database.prepare("SELECT body FROM documents WHERE key LIKE 'change:%' ORDER BY place").all();
  database.close();
  return rows.map(({ body }) => JSON.parse(String(body)) as Json);
}
