import type { AdminClient } from '../../../admin/admin-client.ts';
import type { Person } from '../../../conversation/person.ts';
import type { AdminRule } from '../../../governance/admin-rules.ts';
import type { AuditStore } from '../../../governance/audit/audit-store.ts';
import type { ChangeStore } from '../../../governance/change-store.ts';
import type { AdminLookups, Caller } from '../../../governance/is-admin.ts';
import type { Exclusively } from '../../../governance/one-at-a-time.ts';
import type { OverlayStore } from '../../../governance/register/overlay-store.ts';
import type { RegisterFile } from '../../../governance/register/register-file.ts';
import type { Reports } from '../../../governance/review/report.ts';
import type { LinkFlow } from '../../../identity/link-flow.ts';
import type { OnceStore } from '../../../identity/once-store.ts';
import type { Log } from '../../../log.ts';
import type { AnswerClicks } from '../../answer-clicks.ts';
import type { Channels } from '../../channels.ts';
import type { FindInstallation } from '../../installation.ts';
import type { SlackCaller } from '../../slack-caller.ts';
import type { Allowance } from './allowance.ts';
import type { KeptInventories } from './search/kept-inventories.ts';

/** The administrative interface in the name of one admin; the client renews a token that is refused. */
export type AdminSession = { client: AdminClient; token: string };

/** What the admin listeners may do. All of it may be slow: they acknowledge first, and go on in the background. */
export type AdminPorts = {
  /** ADMIN_USERS. */
  rules: readonly AdminRule[];
  lookups: AdminLookups;
  /** Whether this person has signed in for administration. Quick: it asks the store alone. */
  isSignedIn(person: Person): Promise<boolean>;
  /** The name of the account that this person is signed in with for administration; '' where it is not known. Undefined: with none. */
  signedInAs(person: Person): Promise<string | undefined>;
  /** The account's id in the directory, of the sign-in for administration; undefined where it is not known. */
  directoryId(person: Person): Promise<string | undefined>;
  /** The team that somebody is in, where Slack tells one. Throws a TransientError where Slack cannot be asked. */
  homeTeam(caller: Pick<Caller, 'workspace' | 'user'>): Promise<string | undefined>;
  /** Throws AccountNotLinkedError, and the other errors of AccessTokens. */
  openSession(person: Person): Promise<AdminSession>;
  signInVariant: LinkFlow['variant'];
  changes: ChangeStore;
  audit: Pick<AuditStore, 'list' | 'append'>;
  /** One at a time per key, across replicas. */
  exclusively: Exclusively;
  /** The register's file as it is now; 'none' where none is named. Rejects where it cannot be read. */
  readRegister(): Promise<RegisterFile | 'none'>;
  overlay: OverlayStore;
  reports: Reports;
  /** Which reviews run, and the messages that tell of them. */
  reviewRuns: OnceStore;
  /** What waits for a second admin, for a while. */
  approvals: OnceStore;
  /** How much each admin may do in a minute. */
  allowance: Allowance;
  /** What admins search while they type. */
  inventories: KeptInventories;
  /** REQUIRE_SECOND_APPROVER. */
  needsApproval: boolean;
  /** Slack's Web API, for messages to admins. */
  call: SlackCaller;
  channels: Pick<Channels, 'directMessage'>;
  /** The credit currency that agents use. */
  currency: string;
  /** Goes on after the acknowledgement; a stop waits for it. */
  inBackground(work: () => Promise<void>): void;
  /** Aborted when the app begins to stop: for work that takes longer than a stop waits. */
  stopping: AbortSignal;
  clicks: AnswerClicks;
  /** The caller's IANA time zone, or the default. Never throws. */
  timeZone(caller: Caller): Promise<string>;
  findInstallation: FindInstallation;
  now: () => number;
  log: Log;
};
