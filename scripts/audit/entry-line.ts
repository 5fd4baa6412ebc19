import type { LinkedEntry } from '../../src/governance/audit/audit-log.ts';
import { toPrintable } from '../printable.ts';

/** One entry for a terminal: when, which, who, what, of what, how it ended, and why. */
export function renderEntry({ seq, at, who, what, subject, outcome, reason = '' }: LinkedEntry): string {
  const people = [who.user ?? 'by itself', ...(who.approver ? [`with ${who.approver}`] : [])].join(' ');
  const of = [subject.environmentId, subject.agentId, subject.channel, subject.className].filter(Boolean).join(' / ');
  const ended = [outcome.kind, ...(outcome.reason ? [`(${outcome.reason})`] : [])].join(' ');
  const time = new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
  return toPrintable([time, seq, people, what, of, ended, reason].join('  ')).trimEnd();
}
