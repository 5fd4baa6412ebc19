import { pipeline } from 'node:stream/promises';
import { type AuditHead, type AuditReader, type LinkedEntry, toAuditLine } from '../src/audit/audit-log.ts';
import { loadConfig, loadSome } from '../src/config.ts';
import { openExport, parseHead, type Verified, verify } from './audit/verify.ts';
import { toPrintable } from './printable.ts';
import { runCommand } from './run-command.ts';
import { withReader } from './with-store.ts';

await runCommand({
  usage: `Reads the audit log beside a running app, and changes nothing.
  npm run audit -- verify [--head <seq>:<hash>]… [--file <exported file>]
      ends with 1 if the log is broken; checks the seals if AUDIT_KEY is set
  npm run --silent audit -- export > audit.jsonl
      all entries as JSON lines
  npm run audit -- list [--limit <number>]
      the latest entries, one line each`,
  options: {
    head: { type: 'string', multiple: true, default: [] },
    file: { type: 'string' },
    limit: { type: 'string', default: '20' },
  },
  allowPositionals: true,
  failed: (code) => `The audit log cannot be read (${code}). Check the path, and who may read it.`,
  async run(values, [command]) {
    const heads = values.head.map(parseHead);
    if (command === 'verify' && values.file) return say(await openExport(values.file), heads);
    if (command === 'verify') return withAudit((audit) => say(audit, heads));
    if (command === 'export') return withAudit(exportAll);
    if (command === 'list') return withAudit((audit) => list(audit, Number(values.limit)));
    return undefined;
  },
});

function withAudit(look: (audit: AuditReader) => Promise<number>): Promise<number> {
  return withReader(loadConfig(), ({ audit }) => look(audit));
}

async function say(audit: Verified, heads: AuditHead[]): Promise<number> {
  // Exported files can be verified without all the rest.
  const { AUDIT_KEY: keys = [] } = loadSome(['AUDIT_KEY']);
  const { sentence, isWhole } = await verify(audit, heads, keys);
  console.log(sentence);
  return isWhole ? 0 : 1;
}

async function exportAll(audit: AuditReader): Promise<number> {
  await pipeline(toLines(audit), process.stdout, { end: false });
  return 0;
}

async function* toLines(audit: AuditReader): AsyncIterable<string> {
  for await (const entry of audit.all()) yield toAuditLine(entry);
}

async function list(audit: AuditReader, limit: number): Promise<number> {
  const entries = await audit.list({ limit: Number.isInteger(limit) && limit > 0 ? limit : 20 });
  for (const entry of entries) console.log(renderEntry(entry));
  if (entries.length === 0) console.log('The audit log is empty.');
  return 0;
}

/** Time, number, people, action, subject, outcome and reason. */
function renderEntry({ seq, at, who, what, subject, outcome, reason = '' }: LinkedEntry): string {
  const people = [who.user ?? 'by itself', ...(who.approver ? [`with ${who.approver}`] : [])].join(' ');
  const of = [subject.environmentId, subject.agentId, subject.channel, subject.className].filter(Boolean).join(' / ');
  const ended = [outcome.kind, ...(outcome.reason ? [`(${outcome.reason})`] : [])].join(' ');
  const time = new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
  return toPrintable([time, seq, people, what, of, ended, reason].join('  ')).trimEnd();
}
