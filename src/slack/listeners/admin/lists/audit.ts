import { searchAudit } from '../../../../governance/audit/search-audit.ts';
import type { AdminList } from '../../../../governance/lists/admin-list.ts';
import { buildAuditMessage } from '../../../../governance/lists/audit-message.ts';

/** `/assistant-admin audit [text]` */
export const AUDIT: AdminList = {
  name: 'audit',
  async read(turn, { session, caller, timeZone }, ports) {
    const found = await searchAudit(turn, { ...ports, session });
    return { content: buildAuditMessage(found, { timeZone: await timeZone, team: caller.team, turn }) };
  },
};

/** Who is mentioned is searched by their id: the name that a mention is typed with is not in the log. */
export function toAuditQuery(typed: string, rest: string): string {
  return /<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>/.exec(typed)?.[1] ?? rest;
}
