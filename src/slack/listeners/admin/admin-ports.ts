import type { AdminClient } from '../../../admin/admin-client.ts';
import type { Person } from '../../../conversation/person.ts';
import type { AdminRule } from '../../../governance/admin-rules.ts';
import type { ChangeStore } from '../../../governance/change-store.ts';
import type { AdminLookups, Caller } from '../../../governance/is-admin.ts';
import type { LinkFlow } from '../../../identity/link-flow.ts';
import type { Log } from '../../../log.ts';
import type { FindInstallation } from '../../installation.ts';
import type { Respond } from '../../response-url.ts';

/** The administrative interface in the name of one admin; the client renews a token that is refused. */
export type AdminSession = { client: AdminClient; token: string };

/** What the admin listeners may do. All of it may be slow: they acknowledge first, and go on in the background. */
export type AdminPorts = {
  /** ADMIN_USERS. */
  rules: readonly AdminRule[];
  lookups: AdminLookups;
  /** Whether this person has signed in for administration. Quick: it asks the store alone. */
  isSignedIn(person: Person): Promise<boolean>;
  /** Throws AccountNotLinkedError, and the other errors of AccessTokens. */
  openSession(person: Person): Promise<AdminSession>;
  signInVariant: LinkFlow['variant'];
  changes: ChangeStore;
  /** The credit currency that agents use. */
  currency: string;
  /** Goes on after the acknowledgement; a stop waits for it. */
  inBackground(work: () => Promise<void>): void;
  respond: Respond;
  /** The caller's IANA time zone, or the default. Never throws. */
  timeZone(caller: Caller): Promise<string>;
  findInstallation: FindInstallation;
  now: () => number;
  log: Log;
};
