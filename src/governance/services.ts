// What governance is connected from: made once, in wiring/connect-governance.ts. Each part takes what it needs of it.
import type { ClaimStore } from '../identity/account-link.ts';
import type { Identity } from '../identity/identity.ts';
import type { Channels } from '../slack/channels.ts';
import type { Messenger } from '../slack/messenger.ts';
import type { ReadFile } from '../slack/quotes/text-files.ts';
import type { SendFile } from '../slack/send-file.ts';
import type { SlackServices } from '../slack/services.ts';
import type { Content } from '../slack/views/content.ts';
import type { UsageStore } from '../usage/usage.ts';
import type { WithLock } from '../with-lock.ts';
import type { ApprovalStore } from './approval/approval-store.ts';
import type { AuditStore } from './audit/audit-log.ts';
import type { ConsumptionStore } from './consumption/consumption-history.ts';
import type { InventoryCache } from './inventory/inventory-cache.ts';
import type { KnownInventory } from './inventory/known-inventory.ts';
import type { ChannelValues } from './policy/channel-settings.ts';
import type { PolicyStore } from './policy/policy-store.ts';
import type { Engine } from './run/engine.ts';
import type { EndedRun } from './run/run.ts';
import type { RunStore, SentStore } from './run/run-store.ts';
import type { ShellPorts } from './shell/admin-shell.ts';
import type { TimeZones } from './shell/respond.ts';

/** Owners in the directory, and the people of Slack that they are. Undefined: nobody known. */
type Owners = {
  findUser(caller: { team: string }, ownerId: string): Promise<string | undefined>;
  findId(caller: { team: string }, user: string): Promise<string | undefined>;
};

export type GovernanceServices = ShellPorts &
  TimeZones & {
    // What is configured.
    /** What the configuration sets of what administrators may set as well. */
    configuredSettings: Partial<ChannelValues>;
    /** The currency of agent messages: that of a class's limit, and the one that stops are sent in. */
    currency: string;
    hasInterface: boolean;
    /** For so long (ms) a limit that was sent from here counts where the service does not show it. */
    limitStaleMs: number;
    /** REQUIRE_SECOND_APPROVER. */
    needsApproval: boolean;
    /** ADMIN_READS_LIMITS: false where the read of limits, which the contract does not have, is switched off. */
    readsLimits: boolean;

    // The policy, and what is made of it.
    engine: Engine;
    policy: PolicyStore;
    /** Has every replica read the policy again. */
    policyChanged(): void;
    runs: RunStore;
    sent: SentStore;
    approvals: ApprovalStore;
    /** Has the lane of runs looked at. */
    wakeRuns(): void;

    // Records.
    audit: AuditStore;
    history: ConsumptionStore;
    once: ClaimStore;
    usage: UsageStore;

    // The inventory.
    inventories: InventoryCache;
    /** As it was when all of it was last read: a stop needs no list. */
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
    /** What else shows how a run ended. Never throws. */
    runEnded(ended: EndedRun): Promise<void>;
    createId(): string;
    doctor(): Promise<Content>;
    /** One at a time for each key, across replicas. */
    exclusively: WithLock;
    now(): number;
    /** Aborted when the process is to end. */
    stopping: AbortSignal;
  };
