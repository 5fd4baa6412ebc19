// Who may administer, checked at every command, click and submission: an old message outlives a right.
import { TransientError, UserError } from '../../../errors.ts';
import { type Caller, isAdmin } from '../../../governance/is-admin.ts';
import { installationOf, readSource } from '../../installations/request-source.ts';
import type { AdminPorts } from './admin-ports.ts';

/** Not one of ADMIN_USERS. */
export class NotAdminError extends UserError {
  constructor() {
    super('not_admin', 'not one of ADMIN_USERS');
  }
}

/** Slack could not be asked, so nobody is let in. */
export class AdminCheckFailedError extends TransientError {
  constructor(options?: ErrorOptions) {
    super('admin_check_failed', 'slack did not tell who is an admin', options);
  }
}

/** A modal has to be opened, and a submission answered, within three seconds. */
const CHECK_TIMEOUT_MS = 2_000;

/**
 * Throws NotAdminError or AdminCheckFailedError; and AdminTooOftenError before anybody is asked anything. `isCounted`:
 * false for what nobody did by hand now, such as a look whether somebody else is an admin.
 */
export async function requireAdmin(
  caller: Caller,
  { rules, lookups, allowance, log }: AdminPorts,
  { isCounted }: { isCounted: boolean } = { isCounted: true },
): Promise<void> {
  if (isCounted) await allowance.spend('action', caller);
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AdminCheckFailedError()), CHECK_TIMEOUT_MS);
  });
  const check = isAdmin(caller, rules, lookups).catch((error: unknown) => {
    throw new AdminCheckFailedError({ cause: error });
  });
  try {
    if (await Promise.race([check, deadline])) return;
    log.info({ team: caller.team, user: caller.user }, 'not an admin');
    throw new NotAdminError();
  } finally {
    clearTimeout(timer);
  }
}

/** `body`: what Slack sent of what this user did. */
export async function toCaller({ body, user }: { body: object; user: string }, ports: AdminPorts): Promise<Caller> {
  const { team, workspace } = await installationOf(body, ports);
  const { workspace: homeTeam } = readSource(body);
  return { team, workspace, user, ...(homeTeam !== workspace && { homeTeam }) };
}
