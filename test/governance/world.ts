// Governance in memory: a policy, a service that a test changes, an administrator with a window and messages, and an engine
// that plans as the real one does and keeps what is confirmed.
import type { KnownBlock, ModalView } from '@slack/types';
import sinon from 'sinon';
import type { AdminSession } from '../../src/admin-api/admin-session.ts';
import type { Allocation, Entitlement, Threshold } from '../../src/admin-api/licensing-wire.ts';
import { createExpiring } from '../../src/backend/expiring.ts';
import { createConsumption } from '../../src/governance/consumption/consumption-history.ts';
import { type FormCommand, formCommand } from '../../src/governance/forms/form-command.ts';
import { createInventoryCache } from '../../src/governance/inventory/inventory-cache.ts';
import { createKnownInventory } from '../../src/governance/inventory/known-inventory.ts';
import type { Sent } from '../../src/governance/plan/seen.ts';
import type { Confirmation, Proposal } from '../../src/governance/run/engine.ts';
import { type KeptForm, submitForm } from '../../src/governance/run/kept-form.ts';
import { proposeEdits } from '../../src/governance/run/propose.ts';
import { createSentStore } from '../../src/governance/run/run-store.ts';
import type { GovernanceServices } from '../../src/governance/services.ts';
import type { AdminShell, CommandWork, Submission } from '../../src/governance/shell/admin-shell.ts';
import { applyEdits, type Edit } from '../../src/policy/edit.ts';
import { createPolicyStore } from '../../src/policy/policy-store.ts';
import { type AgentTarget, toTargetKey } from '../../src/policy/target.ts';
import type { Content } from '../../src/slack/views/content.ts';
import { createModel } from '../storage/kernel-model.ts';
import { aDesk } from './desk.ts';
import { aCurrency, anAgent, anEnvironment, aThreshold, CURRENCY } from './samples.ts';

export const NOW = Date.parse('2026-11-24T09:00:00Z');
export const KIM = { team: 'T1', workspace: 'T1', user: 'U0KIM' };
const ANA = 'U0ANA';
export const REASON = 'Trial of the travel desk';

export type World = ReturnType<typeof aWorld>;

export function aWorld(at = NOW) {
  const clock = { at };
  const now = () => clock.at;
  const kernel = createModel(now);
  const policy = createPolicyStore(kernel);
  const service = {
    agents: [anAgent()],
    environments: [anEnvironment()],
    thresholds: [aThreshold()] as Threshold[] | 'not_offered' | Error,
    /** By environment; others have none. */
    allocations: new Map<string, Allocation | 'none' | Error>([
      ['env-1', { environmentId: 'env-1', currencyAllocations: [aCurrency()] }],
    ]),
    entitlements: new Map<string, Entitlement[] | Error>(),
    /** The lists are a part. */
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
    if (service.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, service.delayMs));
    const found = value();
    if (found instanceof Error) throw found;
    return structuredClone(found);
  };
  const session = {
    findAgents: () => call('agents', () => ({ rows: service.agents, truncated: service.isPart })),
    findEnvironments: () => call('environments', () => ({ rows: service.environments, truncated: service.isPart })),
    readThresholds: () => call('thresholds', () => service.thresholds),
    readAllocation: (id: string) => call('allocation', () => service.allocations.get(id) ?? 'none'),
    readEntitlements: (id: string) => call('entitlements', () => service.entitlements.get(id) ?? []),
  } as unknown as AdminSession;

  const shown: ModalView[] = [];
  const problems: string[] = [];
  const said: Content[] = [];
  const files: { name: string; content: string; comment: string }[] = [];
  const confirmed: { proposal: Proposal; confirmation: Confirmation }[] = [];
  const background: Promise<void>[] = [];
  const modal = {
    show: async (view: ModalView) => void shown.push(view),
    showProblem: async (sentence: string) => void problems.push(sentence),
    showFailure: async (error: unknown) => {
      throw error;
    },
  };
  const say = async (content: Content) => said.push(content) > 0;
  const opened = { modal, openSession: async () => session, caller: KIM, replyTo: 'reply-to' };

  const plain = {
    ...{ currency: CURRENCY, needsApproval: false, readsLimits: true, hasInterface: true, configuredSettings: {} },
    ...{ policy, sent: createSentStore(kernel), known: createKnownInventory(kernel, now) },
    ...{ once: createExpiring(kernel), inventories: createInventoryCache(now), history: createConsumption(kernel) },
    owners: {
      findUser: async (_: unknown, id: string) => (id === 'owner-ana' ? ANA : undefined),
      findId: async (_: unknown, user: string) => (user === ANA ? 'owner-ana' : undefined),
    },
    ...{ timeZone: async () => 'utc', now, createId: () => 'a1b2c3d4e5f6' },
    /** A page that is turned takes the place of the message. */
    clicks: { replace: (_: object, content: Content) => say(content) },
    sendFile: async (_: object, file: (typeof files)[number]) => void files.push(file),
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
    ...{ services, service, session, opened, shown, problems, said, files, confirmed, background, policy, kernel },
    passMs(ms: number) {
      clock.at += ms;
    },
    async approve(...edits: Edit[]) {
      const before = await policy.read();
      await policy.replace(before, applyEdits(before.policy, edits, { by: 'U0KIM', reason: REASON, at }));
    },
    /** What was sent last for an agent. */
    async send(target: AgentTarget, sent: Omit<Sent, 'run'>) {
      const key = toTargetKey({ ...target, currency: CURRENCY });
      await kernel.commit([services.sent.toWrite(key, { ...sent, run: 'r' })]);
    },
    /** What was read whole before. */
    async remember() {
      await services.known.rememberAgents({ rows: service.agents, truncated: false });
      await services.known.rememberEnvironments({ rows: service.environments, truncated: false });
    },
    /** Carries out what a command does, and returns the last message. */
    async run(work: CommandWork, role: 'admin' | 'auditor' = 'admin'): Promise<Content | undefined> {
      if ('run' in work) await work.run({ ...opened, role, say });
      else await work.open(opened);
      return said.at(-1);
    },
    /** Gives a command, and returns the window that it ends with; undefined after a problem. */
    async give(command: FormCommand, text: string): Promise<ModalView | undefined> {
      const before = shown.length;
      await world.run(formCommand(command, text, services));
      return shown.length > before ? shown.at(-1) : undefined;
    },
    /** What is registered is called as Slack would call it. */
    listen(register: (shell: AdminShell, services: GovernanceServices) => void) {
      const desk = aDesk();
      register(desk.shell, services);
      const press = (actionId: string, value: string, more: object = {}) =>
        desk.press(actionId, value, { ...opened, role: 'admin', say, body: {}, label: '', ...more });
      return { ...desk, press };
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

/** What is waited for comes at once. Resolves with the result, which has to be there within so many ms. */
export async function within<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const working = work();
    const late = Symbol('late');
    await clock.tickAsync(ms);
    const result = await Promise.race([working, new Promise<typeof late>((resolve) => setImmediate(resolve, late))]);
    if (result === late) throw new Error(`it takes longer than ${ms} ms`);
    return result as T;
  } finally {
    clock.restore();
  }
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

/** All that a window or a message says and asks. */
export function textOf(shown: object | undefined): string {
  return JSON.stringify(shown ?? {});
}

function blocksOf(content: Content | undefined): KnownBlock[] {
  return (content?.blocks ?? []) as KnownBlock[];
}

/** The texts of the sections of a message. */
export function sectionsOf(content: Content | undefined): string {
  const texts = blocksOf(content).flatMap((block) => (block.type === 'section' ? (block.text?.text ?? []) : []));
  return texts.join('\n');
}

/** The buttons below the sections of a message. */
export function buttonsOf(content: Content | undefined): { label: string; id: string; value: string }[] {
  const elements = blocksOf(content).flatMap((block) => (block.type === 'actions' ? block.elements : []));
  return elements.flatMap((one) =>
    one.type === 'button' ? [{ label: one.text.text, id: one.action_id ?? '', value: one.value ?? '' }] : [],
  );
}

export function initialOf(view: ModalView | undefined, blockId: string): unknown {
  const block = view?.blocks.find(({ block_id }) => block_id === blockId) as { element?: Element } | undefined;
  return block?.element?.initial_value ?? block?.element?.initial_option?.value;
}
