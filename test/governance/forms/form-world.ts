// What forms are opened and submitted with, in memory: a policy, a service that a test changes, and an engine that plans as
// the real one does and keeps what is confirmed.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ModalView } from '@slack/types';
import type { AdminSession } from '../../../src/admin-api/admin-session.ts';
import type { Agent, Environment } from '../../../src/admin-api/inventory-wire.ts';
import type { Allocation, Entitlement, Threshold } from '../../../src/admin-api/licensing-wire.ts';
import { createExpiring } from '../../../src/backend/expiring.ts';
import { type FormCommand, formCommand } from '../../../src/governance/forms/form-commands.ts';
import { createInventoryCache } from '../../../src/governance/inventory/inventory-cache.ts';
import { createKnownInventory } from '../../../src/governance/inventory/known-inventory.ts';
import type { Confirmation, Proposal } from '../../../src/governance/run/engine.ts';
import { type KeptForm, submitForm } from '../../../src/governance/run/kept-form.ts';
import { proposeEdits } from '../../../src/governance/run/propose.ts';
import { createSentStore } from '../../../src/governance/run/run-store.ts';
import type { GovernanceServices } from '../../../src/governance/services.ts';
import type { Submission } from '../../../src/governance/shell/admin-shell.ts';
import { applyEdits, type Edit } from '../../../src/policy/edit.ts';
import { createPolicyStore } from '../../../src/policy/policy-store.ts';
import { createModel } from '../../storage/kernel-model.ts';
import { anAgent, anEnvironment, aThreshold } from '../samples.ts';

const NOW = Date.parse('2026-11-24T09:00:00Z');
export const CURRENCY = 'ServiceMessages';
export const KIM = { team: 'T1', workspace: 'T1', user: 'U0KIM' };
const ANA = 'U0ANA';
export const REASON = 'Trial of the travel desk';

export function aCurrency(values: Partial<Allocation['currencyAllocations'][number]> = {}) {
  const enforcementRules = [{ ruleType: 'Alert', enabled: true, others: {} }];
  return {
    currencyType: CURRENCY,
    allocated: 5_000,
    autoAllocated: undefined,
    enforcementRules,
    others: {},
    ...values,
  };
}

type Confirmed = { proposal: Proposal; confirmation: Confirmation };

export type FormWorld = ReturnType<typeof aFormWorld>;

export function aFormWorld() {
  const clock = { at: NOW };
  const now = () => clock.at;
  const kernel = createModel(now);
  const policy = createPolicyStore(kernel);
  const service = {
    agents: [anAgent()] as Agent[],
    environments: [anEnvironment()] as Environment[],
    thresholds: [aThreshold()] as Threshold[] | 'not_offered' | Error,
    allocation: { environmentId: 'env-1', currencyAllocations: [aCurrency()] } as Allocation | 'none' | Error,
    entitlements: [] as Entitlement[],
    /** The list of agents is a part. */
    isPart: false,
    /** Each call takes so long (ms). */
    delayMs: 0,
    /** These calls are never answered. */
    hanging: [] as string[],
    calls: [] as string[],
  };
  const call = async <T>(name: string, value: () => T | Error): Promise<T> => {
    service.calls.push(name);
    if (service.hanging.includes(name)) await new Promise(() => undefined);
    if (service.delayMs > 0) await sleep(service.delayMs);
    const found = value();
    if (found instanceof Error) throw found;
    return structuredClone(found);
  };
  const session = {
    findAgents: () => call('agents', () => ({ rows: service.agents, truncated: service.isPart })),
    findEnvironments: () => call('environments', () => ({ rows: service.environments, truncated: false })),
    readThresholds: () => call('thresholds', () => service.thresholds),
    readAllocation: () => call('allocation', () => service.allocation),
    readEntitlements: () => call('entitlements', () => service.entitlements),
  } as unknown as AdminSession;

  const shown: ModalView[] = [];
  const problems: string[] = [];
  const said: string[] = [];
  const confirmed: Confirmed[] = [];
  const background: Promise<void>[] = [];
  const modal = {
    show: async (view: ModalView) => void shown.push(view),
    showProblem: async (sentence: string) => void problems.push(sentence),
    showFailure: async (error: unknown) => {
      throw error;
    },
  };
  const opened = { modal, openSession: async () => session, caller: KIM, replyTo: 'reply-to' };
  const say = async ({ text }: { text: string }) => said.push(text) > 0;

  const plain = {
    ...{ currency: CURRENCY, needsApproval: false, readsLimits: true, hasInterface: true },
    ...{ policy, sent: createSentStore(kernel), known: createKnownInventory(kernel, now) },
    ...{ once: createExpiring(kernel), inventories: createInventoryCache(now) },
    owners: { findUser: async (_: unknown, id: string) => (id === 'owner-ana' ? ANA : undefined) },
    ...{ timeZone: async () => 'utc', now, createId: () => 'a1b2c3d4e5f6' },
    inBackground: (work: () => Promise<void>) => void background.push(work()),
    stopping: new AbortController().signal,
    log: { info() {}, warn() {}, error() {} },
    // Who approves.
    rules: [
      { kind: 'user', user: KIM.user },
      { kind: 'user', user: ANA },
    ],
    lookups: {},
    adminAccount: async ({ user }: { user: string }) => ({
      isSignedIn: true,
      name: user,
      account: `issuer|oid|${user}`,
    }),
  };
  const services = {
    ...plain,
    engine: {
      propose: (edits: readonly Edit[], by: never, options = {}) => proposeEdits(edits, by, options, services),
      confirm: async (proposal: Proposal, confirmation: Confirmation) => {
        confirmed.push({ proposal, confirmation });
        return 'started';
      },
    },
  } as unknown as GovernanceServices;

  const world = {
    ...{ services, service, session, opened, shown, problems, said, confirmed, background, policy, kernel },
    passMs(ms: number) {
      clock.at += ms;
    },
    async approve(...edits: Edit[]) {
      const before = await policy.read();
      await policy.replace(before, applyEdits(before.policy, edits, { by: 'U0KIM', reason: REASON, at: NOW }));
    },
    /** What was read whole before. */
    async remember() {
      await services.known.rememberAgents({ rows: service.agents, truncated: false });
      await services.known.rememberEnvironments({ rows: service.environments, truncated: false });
    },
    /** Gives a command, and returns the window that it ends with; undefined after a problem. */
    async give(command: FormCommand, text: string): Promise<ModalView | undefined> {
      const work = formCommand(command, text, services);
      if (!('open' in work)) throw new Error('it opens no window');
      const before = shown.length;
      await work.open(opened);
      return shown.length > before ? shown.at(-1) : undefined;
    },
    toSubmission(view: ModalView | undefined, values: Record<string, Filled>): Submission {
      const metadata = view?.private_metadata ?? '';
      const submitted = { private_metadata: metadata, state: { values: toValues(view, values) } };
      return {
        ...{ caller: KIM, role: 'admin', openSession: async () => session },
        view: submitted as unknown as Submission['view'],
        toPlace: () => ({ modal, say }),
      };
    },
    /** Submits, and waits for what comes of it. Returns the errors by block id. */
    async submit<State, Values>(
      form: KeptForm<State, Values>,
      view: ModalView | undefined,
      values: Record<string, Filled>,
    ): Promise<Record<string, string>> {
      const { answer, afterwards } = await submitForm(form, world.toSubmission(view, values), services);
      await afterwards?.();
      return 'errors' in answer ? (answer.errors as Record<string, string>) : {};
    },
  };
  return world;
}

/** A text, a choice, a day, a person or a ticked box: as the element of the block takes it. */
type Filled = string | boolean | undefined;

type Element = {
  type: string;
  initial_value?: string;
  initial_option?: { value: string };
  initial_options?: { value: string }[];
};

/** As Slack sends what is in the window, with these values typed or chosen. */
function toValues(view: ModalView | undefined, values: Record<string, Filled>) {
  const blocks = (view?.blocks ?? []) as { type: string; block_id?: string; element?: Element }[];
  const inputs = blocks.filter(({ type }) => type === 'input');
  return Object.fromEntries(
    inputs.map((block) => {
      const id = block.block_id ?? '';
      return [id, { [id]: toValue(block.element, id in values, values[id]) }];
    }),
  );
}

function toValue(element: Element | undefined, isFilled: boolean, filled: Filled) {
  switch (element?.type) {
    case 'plain_text_input':
      return { value: isFilled ? (filled as string | undefined) : element.initial_value };
    case 'checkboxes':
      return { selected_options: isFilled ? (filled ? [{ value: 'yes' }] : []) : (element.initial_options ?? []) };
    case 'datepicker':
      return { selected_date: (filled as string | undefined) ?? null };
    case 'users_select':
      return { selected_user: (filled as string | undefined) ?? null };
    default:
      return { selected_option: isFilled ? { value: String(filled) } : (element?.initial_option ?? null) };
  }
}

/** All that a window says and asks. */
export function textOf(view: ModalView | undefined): string {
  return JSON.stringify(view ?? {});
}

export function initialOf(view: ModalView | undefined, blockId: string): unknown {
  const block = view?.blocks.find(({ block_id }) => block_id === blockId) as { element?: Element } | undefined;
  return block?.element?.initial_value ?? block?.element?.initial_option?.value;
}
