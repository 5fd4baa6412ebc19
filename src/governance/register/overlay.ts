// What admins decided in Slack, beside the register's file, which is never written.

import { type Kernel, readAll } from '../../storage/kernel.ts';
import type {
  AcceptedDrift,
  ApprovedLimit,
  Classification,
  RegisteredEnvironment,
  StatedAllocation,
} from './register.ts';

export type Decision = {
  schema: 1;
  /** One per decision: a double click has the same. */
  id: string;
  environmentId: string;
  /** One line, shown to whoever reviews later. */
  reason: string;
  /** As in a change: the enterprise id where there is one, else the team id; the installing team; the Slack user id. */
  by: { team: string; workspace: string; user: string };
  /** The account of the directory that they were signed in with: see AccountLink. Older records have none. */
  account?: string | undefined;
  /** Of the second admin, where one was needed. */
  approvedBy?: string | undefined;
  approverAccount?: string | undefined;
  /** Epoch ms. */
  at: number;
  /** The version of the register that it was made beside. */
  registerHash: string;
};

/** An environment that the file does not name, named here. */
export type ClassificationRecord = Decision & {
  kind: 'classification';
  name: string | undefined;
  classification: Classification;
  owners: string[];
  /** Undefined: the defaults of its classification. */
  allocations: StatedAllocation[] | 'none' | undefined;
  /** The limit of its agents that nobody names; undefined: the defaults of its classification. Older records have none. */
  unnamedAgents?: ApprovedLimit | undefined;
  /** The classification before is withdrawn: the environment is not in the register again. Older records have none. */
  isWithdrawn?: boolean | undefined;
  /** The id of the record that it takes the place of. Undefined: the environment was not classified. */
  replaces?: string | undefined;
};

/** The limit of an agent that the file does not name. */
export type AgentLimitRecord = Decision & {
  kind: 'agent_limit';
  agentResourceId: string;
  /** Its id in the inventory: the file may name it by that. Older records have none. */
  agentName?: string | undefined;
  name: string | undefined;
  limit: ApprovedLimit;
};

/** Drift that may stay for a while. */
export type ExceptionRecord = Decision & {
  kind: 'exception';
  /** Undefined: about the environment's own allocation. */
  agentResourceId: string | undefined;
  /** As in AgentLimitRecord. */
  agentName?: string | undefined;
  accepts: AcceptedDrift[];
  /** YYYY-MM-DD: the last day on which it holds, in UTC. */
  expiresOn: string;
};

export type OverlayRecord = ClassificationRecord | AgentLimitRecord | ExceptionRecord;

/** Why a record adds nothing: the file has it by now, or there is nothing to add it to. */
export type UnusedRecord = {
  id: string;
  reason: 'in_register' | 'replaced_by_later' | 'defaults_incomplete' | 'environment_unclassified';
};

/** A classification with all that is approved under it. */
export type AddedEnvironment = { record: ClassificationRecord; environment: RegisteredEnvironment };

/** What the records add to the register, in the order in which it is added. */
export type Additions = {
  environments: AddedEnvironment[];
  agents: AgentLimitRecord[];
  exceptions: ExceptionRecord[];
  unused: UnusedRecord[];
};

/** Port: what admins decided in Slack. Records are added and never removed; the register's file may override them. */
export type OverlayStore = {
  /** Once per id: of two callers with one id, one gets 'new'. */
  add(record: OverlayRecord): Promise<'new' | 'duplicate'>;
  /** All of them, in the order in which they were added. */
  list(): Promise<OverlayRecord[]>;
};

/** In the order in which they were added. */
const OVERLAY = 'overlay';

export function createOverlay(kernel: Kernel): OverlayStore {
  return {
    async add(record) {
      const write = { put: `overlay:${record.id}`, body: record, ifVersion: 0, entries: [{ index: OVERLAY }] };
      return (await kernel.commit([write])) ? 'new' : 'duplicate';
    },
    list: () => readAll<OverlayRecord>(kernel, OVERLAY),
  };
}
