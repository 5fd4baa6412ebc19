// Who may administer, and how much in a minute.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Person } from '../../conversation/question.ts';
import { TransientError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { FindInstallation } from '../../slack/installation.ts';
import { installationOf, readSource } from '../../slack/request-source.ts';
import type { TokenBuckets } from '../../slack/web/buckets.ts';
import { withinTime } from '../../time-limit.ts';
import { describeSeconds, SentenceError, toRefused } from './admin-failure.ts';
import { type AdminLookups, type AdminRule, type Caller, isAdmin, toRulesForAll } from './admin-rules.ts';

/** Slack could not be asked, so nobody is let in. */
export class AdminCheckFailedError extends TransientError {
  constructor(options?: ErrorOptions) {
    super('admin_check_failed', 'slack did not tell who is an admin', options);
  }
}

/** A modal has to be opened, and a submission answered, within three seconds. */
const CHECK_TIMEOUT_MS = 2_000;

/** For the check of the approver. It follows that of the person who submits, within the same three seconds. */
const OTHER_TIMEOUT_MS = 700;

export type AccessPorts = {
  /** ADMIN_USERS. */
  rules: readonly AdminRule[];
  /** AUDIT_USERS. */
  auditors: readonly AdminRule[];
  lookups: AdminLookups;
  /** How much each admin may do in a minute. */
  allowance: Allowance;
  /** The person's team, if Slack names one. Throws a TransientError if Slack cannot be asked. */
  homeTeam(caller: Pick<Caller, 'workspace' | 'user'>): Promise<string | undefined>;
  log: Log;
};

export type AdmitPorts = AccessPorts & {
  findInstallation: FindInstallation;
  /** Throws AccountNotLinkedError, and the other errors of AccessTokens. */
  openSession(person: Person): Promise<AdminSession>;
};

/** An auditor reads lists, reviews, the log and the policy, and changes nothing. */
export type Role = 'admin' | 'auditor';

/** A person whose right to act here was just checked. */
export type Admin = {
  caller: Caller;
  role: Role;
  /** The administrative interface in their own name; for an auditor without its writes. Throws as AdmitPorts.openSession does. */
  openSession(): Promise<AdminSession>;
};

/** What a person has signed in with for administration. */
type AdminAccount = {
  /** False: the authorization has ended, so they have to sign in again. */
  isSignedIn: boolean;
  /** As the identity provider names it. */
  name: string | undefined;
  /** Comparable: see directory.ts. Undefined if the last sign-in did not show it. */
  account: string | undefined;
};

export type AccountPorts = {
  /** Undefined if this person never signed in. Quick: it reads only the store. */
  adminAccount(person: Person): Promise<AdminAccount | undefined>;
};

/** How somebody is checked. */
export type AdminCheck = {
  /** Counts towards the allowance. False for what nobody did by hand just now, and for stops, which must not wait. */
  isCounted?: boolean;
  /** Asks Slack now instead of using an answer of the last minutes: for whatever changes or decides something. */
  isFresh?: boolean;
  /** For what applies to the whole installation: see toRulesForAll. */
  isForAll?: boolean;
  /** For what changes nothing. Auditors are refused otherwise. */
  forAuditors?: boolean;
};

/** How somebody is checked who is about to change something. */
export type ChangeCheck = Omit<AdminCheck, 'forAuditors'>;

/** Throws a SentenceError or AdminCheckFailedError. Checks the allowance before it asks Slack. */
export async function requireAdmin(
  caller: Caller,
  ports: AccessPorts,
  { isCounted = true, isFresh = !isCounted, isForAll = false, forAuditors = false }: AdminCheck = {},
): Promise<Role> {
  if (isCounted) await ports.allowance.spend(caller);
  const finding = findRole(caller, ports, { isFresh, isForAll });
  const role = await orCheckFailed(finding, CHECK_TIMEOUT_MS);
  if (role === 'admin_elsewhere') throw toRefused('not_admin_of_all');
  if (role === 'auditor' && !forAuditors) throw toRefused('auditor');
  return role ?? refuse(caller, ports);
}

/** The role of a person, perhaps a few minutes old: only to show something. Throws the errors of the lookups. */
export async function readRole(caller: Caller, ports: Pick<AccessPorts, 'rules' | 'auditors' | 'lookups'>) {
  const role = await findRole(caller, ports, { isFresh: false, isForAll: false });
  return role === 'admin_elsewhere' ? undefined : role;
}

/** `admin_elsewhere`: an admin of one team asks for what applies to the whole organisation. Undefined: no role. */
async function findRole(
  caller: Caller,
  { rules, auditors, lookups }: Pick<AccessPorts, 'rules' | 'auditors' | 'lookups'>,
  { isFresh, isForAll }: { isFresh: boolean; isForAll: boolean },
): Promise<Role | 'admin_elsewhere' | undefined> {
  const fits = (some: readonly AdminRule[]) => isAdmin(caller, some, lookups, { isFresh });
  const fitting = (some: readonly AdminRule[]) => (isForAll ? toRulesForAll(some, caller) : some);
  if (await fits(fitting(rules))) return 'admin';
  if (isForAll && fitting(rules).length < rules.length && (await fits(rules))) return 'admin_elsewhere';
  return (await fits(fitting(auditors))) ? 'auditor' : undefined;
}

/** Whether the person that an admin picked is an admin as well. Throws as requireAdmin does. */
export async function requireOtherAdmin({ by, user }: { by: Caller; user: string }, ports: AccessPorts): Promise<void> {
  const finding = async () => {
    const other = await toOther(by, user, ports);
    return { other, isAdmitted: await isAdmin(other, ports.rules, ports.lookups, { isFresh: true }) };
  };
  const { other, isAdmitted } = await orCheckFailed(finding(), OTHER_TIMEOUT_MS);
  if (!isAdmitted) refuse(other, ports);
}

/** The other person comes through the same installation, perhaps from another of its teams. */
async function toOther({ team, workspace, homeTeam }: Caller, user: string, ports: AccessPorts): Promise<Caller> {
  const other = { team, workspace, user };
  // Only an installation for a whole organisation has several teams.
  const own = homeTeam === undefined ? undefined : await ports.homeTeam(other);
  return own === undefined || own === workspace ? other : { ...other, homeTeam: own };
}

function orCheckFailed<T>(finding: Promise<T>, timeoutMs: number): Promise<T> {
  const found = finding.catch((error: unknown) => {
    throw new AdminCheckFailedError({ cause: error });
  });
  return withinTime(timeoutMs, found, () => {
    throw new AdminCheckFailedError();
  });
}

function refuse({ team, user }: Caller, { log }: Pick<AccessPorts, 'log'>): never {
  log.info({ team, user }, 'not an admin');
  throw toRefused('not_admin');
}

/** `body`: the payload from Slack. Throws as requireAdmin does. */
export async function admit(
  { body, user }: { body: object; user: string },
  ports: AdmitPorts,
  how?: AdminCheck,
): Promise<Admin> {
  const { team, workspace } = await installationOf(body, ports);
  const { workspace: homeTeam } = readSource(body);
  const caller = { team, workspace, user, ...(homeTeam !== workspace && { homeTeam }) };
  const role = await requireAdmin(caller, ports, how);
  const openSession = () => ports.openSession(caller);
  return { caller, role, openSession: role === 'admin' ? openSession : async () => toReadOnly(await openSession()) };
}

/** Nothing is written in an auditor's name, even if the service would allow it. */
function toReadOnly(session: AdminSession): AdminSession {
  const refuseWrite = async () => {
    throw toRefused('auditor');
  };
  return { ...session, updateAllocation: refuseWrite, putThreshold: refuseWrite };
}

/** Port: how much each admin may do, counted over all replicas. */
export type Allowance = {
  /** Counts a command, a click or a submission. Throws a SentenceError if there were too many, and StoreUnavailableError. */
  spend(person: Person): Promise<void>;
};

/** Per minute, and all at once after a pause. More than a person can do by hand, and less than a script would do. */
export const ALLOWANCE = 60;

const PER_MS = 60_000;

export function createAllowance(buckets: Pick<TokenBuckets, 'take'>): Allowance {
  return {
    async spend({ team, user }) {
      const bucket = { key: `admin:action:${team}:${user}`, limit: ALLOWANCE, perMs: PER_MS };
      const waitMs = await buckets.take([bucket], 0);
      if (waitMs > 0) throw new SentenceError('admin_too_often', describeTooOften(waitMs));
    },
  };
}

/** For load tests against a stand-in, as SLACK_BUDGETS=off is. */
export const UNLIMITED: Allowance = { spend: async () => undefined };

function describeTooOften(waitMs: number): string {
  return `That is more than ${ALLOWANCE} commands and clicks in a minute, so nothing was looked up or changed. Wait ${describeSeconds(waitMs)}, then do this again.`;
}
