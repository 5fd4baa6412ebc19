// Everything that governance uses. Made once, in wiring/connect-governance.ts; each part takes what it needs.
import type { AuditStore } from '../audit/audit-log.ts';
import type { ClaimStore } from '../identity/account-link.ts';
import type { Identity } from '../identity/identity.ts';
import type { ChannelValues } from '../policy/channel-settings.ts';
import type { PolicyStore } from '../policy/policy-store.ts';
import type { Channels } from '../slack/channels.ts';
import type { ReadFile, SendFile } from '../slack/files.ts';
import type { Messenger } from '../slack/messenger.ts';
import type { SlackServices } from '../slack/services.ts';
import type { Content } from '../slack/views/content.ts';
import type { UsageStore } from '../usage/usage.ts';
import type { WithLock } from '../with-lock.ts';
import type { ApprovalStore } from './approval/approval-store.ts';
import type { ConsumptionStore } from './consumption/consumption-history.ts';
import type { InventoryCache } from './inventory/inventory-cache.ts';
import type { KnownInventory } from './inventory/known-inventory.ts';
import type { Engine } from './run/engine.ts';
import type { EndedRun, RunStore, SentStore } from './run/run-store.ts';
import type { ShellPorts } from './shell/admin-shell.ts';
import type { TimeZones } from './shell/respond.ts';

/** Finds the Slack user of an owner in the directory, and the reverse. Undefined: not known. */
type Owners = {
  findUser(caller: { team: string }, ownerId: string): Promise<string | undefined>;
  findId(caller: { team: string }, user: string): Promise<string | undefined>;
};

export type GovernanceServices = ShellPorts &
  TimeZones & {
    // What is configured.
    /** The settings of channels in the configuration. The policy comes before them. */
    configuredSettings: Partial<ChannelValues>;
    /** The currency of agent messages, of the limits of classes, and of stops. */
    currency: string;
    hasInterface: boolean;
    /** How long (ms) a limit that was sent from here counts if the service does not show it. */
    limitStaleMs: number;
    /** REQUIRE_SECOND_APPROVER. */
    needsApproval: boolean;
    /** ADMIN_READS_LIMITS: false switches off the read of limits, which the contract does not have. */
    readsLimits: boolean;

    // The policy, and what is made of it.
    engine: Engine;
    policy: PolicyStore;
    /** Makes every replica read the policy again. */
    policyChanged(): void;
    runs: RunStore;
    sent: SentStore;
    approvals: ApprovalStore;
    /** Wakes the lane of runs. */
    wakeRuns(): void;

    // Records.
    audit: AuditStore;
    history: ConsumptionStore;
    once: ClaimStore;
    usage: UsageStore;

    // The inventory.
    inventories: InventoryCache;
    /** The inventory as it was last read completely, so that a stop needs no list. */
    known: KnownInventory;
    owners: Owners;

    // Slack.
    channels: Pick<Channels, 'directMessage' | 'look'>;
    directory: Identity['directory'];
    messenger: Messenger;
    people: SlackServices['people'];
    readFile: ReadFile;
    sendFile: SendFile;

    // All the rest.
    /** Updates other messages that depend on the run. Never throws. */
    runEnded(ended: EndedRun): Promise<void>;
    createId(): string;
    doctor(): Promise<Content>;
    /** One at a time for each key, across replicas. */
    exclusively: WithLock;
    now(): number;
    /** Aborted when the process shuts down. */
    stopping: AbortSignal;
    /** Before something is read again. Never rejects. Default: real time. */
    wait?: ((ms: number, stopping?: AbortSignal) => Promise<void>) | undefined;
  };
