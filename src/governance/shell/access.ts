// Who may administer.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Person } from '../../conversation/question.ts';
import { TransientError, UserError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { FindInstallation } from '../../slack/installation.ts';
import { installationOf, readSource } from '../../slack/installations/request-source.ts';
import { withinTime } from '../../time-limit.ts';
import { type AdminLookups, type AdminRule, type Caller, isAdmin, toRulesForAll } from './admin-rules.ts';
import type { Allowance } from './allowance.ts';

/** Not one of ADMIN_USERS. */
export class NotAdminError extends UserError {
  constructor() {
    super('not_admin', 'not one of ADMIN_USERS');
  }
}

/** An admin of one team, for what counts in the whole organisation. */
export class NotAdminOfAllError extends UserError {
  constructor() {
    super('not_admin_of_all', 'named in ADMIN_USERS for one team of the organisation only');
  }
}

/** Slack could not be asked, so nobody is let in. */
export class AdminCheckFailedError extends TransientError {
  constructor(options?: ErrorOptions) {
    super('admin_check_failed', 'slack did not tell who is an admin', options);
  }
}

/** For what only the administrative interface can do, where none is configured. */
export class NoAdminInterfaceError extends UserError {
  constructor() {
    super('no_admin_interface', 'ADMIN_API_BASE_URL is not set');
  }
}

/** A modal has to be opened, and a submission answered, within three seconds. */
const CHECK_TIMEOUT_MS = 2_000;

/** Of somebody else, which comes after the check of who submits, and before the same answer. */
const OTHER_TIMEOUT_MS = 700;

export type AccessPorts = {
  /** ADMIN_USERS. */
  rules: readonly AdminRule[];
  lookups: AdminLookups;
  /** How much each admin may do in a minute. */
  allowance: Allowance;
  /** The team that somebody is in, where Slack tells one. Throws a TransientError where Slack cannot be asked. */
  homeTeam(caller: Pick<Caller, 'workspace' | 'user'>): Promise<string | undefined>;
  log: Log;
};

export type AdmitPorts = AccessPorts & {
  findInstallation: FindInstallation;
  /** Throws AccountNotLinkedError, and the other errors of AccessTokens. */
  openSession(person: Person): Promise<AdminSession>;
};

/** A person whose right to act here was just checked. */
export type Admin = {
  caller: Caller;
  /** The administrative interface in their own name. Throws as AdmitPorts.openSession does. */
  openSession(): Promise<AdminSession>;
};

/** What a person has signed in with for administration. */
type AdminAccount = {
  /** False: the authorization has ended, so they have to sign in again. */
  isSignedIn: boolean;
  /** As the identity provider names it. */
  name: string | undefined;
  /** Comparable: see directory-account.ts. Undefined where the last sign-in did not tell. */
  account: string | undefined;
};

export type AccountPorts = {
  /** Undefined where this person never signed in. Quick: it asks the store alone. */
  adminAccount(person: Person): Promise<AdminAccount | undefined>;
};

/** How somebody is checked. */
export type AdminCheck = {
  /** False for what nobody did by hand now, and for stops, which nobody should have to wait with. */
  isCounted?: boolean;
  /** Slack is asked at once: for what changes or decides something, and for looks at somebody else, which lead to that. */
  isFresh?: boolean;
  /** For what counts wherever the installation does: see toRulesForAll. */
  isForAll?: boolean;
};

/** Throws NotAdminError, NotAdminOfAllError or AdminCheckFailedError; and AdminTooOftenError before anybody is asked anything. */
export async function requireAdmin(
  caller: Caller,
  ports: AccessPorts,
  { isCounted = true, isFresh = !isCounted, isForAll = false }: AdminCheck = {},
): Promise<void> {
  if (isCounted) await ports.allowance.spend('action', caller);
  const checkBy = (rules: readonly AdminRule[]) =>
    check(async () => caller, { ...ports, rules }, { isFresh, timeoutMs: CHECK_TIMEOUT_MS });
  const rules = isForAll ? toRulesForAll(ports.rules, caller) : ports.rules;
  try {
    await checkBy(rules);
  } catch (error) {
    if (!(error instanceof NotAdminError) || rules.length === ports.rules.length) throw error;
    await checkBy(ports.rules);
    throw new NotAdminOfAllError();
  }
}

/** Whether the person that an admin picked is an admin as well. Throws as requireAdmin does. */
export function requireOtherAdmin({ by, user }: { by: Caller; user: string }, ports: AccessPorts): Promise<void> {
  return check(() => toOther(by, user, ports), ports, { isFresh: true, timeoutMs: OTHER_TIMEOUT_MS });
}

/** Here through the same installation, and perhaps in another of its teams. */
async function toOther({ team, workspace, homeTeam }: Caller, user: string, ports: AccessPorts): Promise<Caller> {
  const other = { team, workspace, user };
  // Only where the app is installed for a whole organisation are there several.
  const own = homeTeam === undefined ? undefined : await ports.homeTeam(other);
  return own === undefined || own === workspace ? other : { ...other, homeTeam: own };
}

async function check(
  findCaller: () => Promise<Caller>,
  { rules, lookups, log }: AccessPorts,
  { isFresh, timeoutMs }: { isFresh: boolean; timeoutMs: number },
): Promise<void> {
  const asking = async () => {
    try {
      const caller = await findCaller();
      return { caller, isAdmitted: await isAdmin(caller, rules, lookups, { isFresh }) };
    } catch (error) {
      throw new AdminCheckFailedError({ cause: error });
    }
  };
  const { caller, isAdmitted } = await withinTime(timeoutMs, asking(), () => {
    throw new AdminCheckFailedError();
  });
  if (isAdmitted) return;
  log.info({ team: caller.team, user: caller.user }, 'not an admin');
  throw new NotAdminError();
}

/** `body`: what Slack sent of what this user did. Throws as requireAdmin does. */
export async function admit(
  { body, user }: { body: object; user: string },
  ports: AdmitPorts,
  how?: AdminCheck,
): Promise<Admin> {
  const { team, workspace } = await installationOf(body, ports);
  const { workspace: homeTeam } = readSource(body);
  const caller = { team, workspace, user, ...(homeTeam !== workspace && { homeTeam }) };
  await requireAdmin(caller, ports, how);
  return { caller, openSession: () => ports.openSession(caller) };
}
