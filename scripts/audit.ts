// `npm run audit -- verify | export | list`: reads the audit log beside a running app, and changes nothing.
//   verify [--head <seq>:<hash>]… [--file <exported file>]   ends with 1 where the chain is broken
//   export                                                   all entries as JSON lines
//   list [--limit <number>]                                  the latest entries, one line each
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { type AuditReader, toAuditLine } from '../src/governance/audit/audit-log.ts';
import { renderEntry } from './audit/entry-line.ts';
import { openExport } from './audit/open-export.ts';
import { parseHead, verify } from './audit/verify.ts';
import { toSentence, USAGE, withAudit } from './audit/with-audit.ts';

const OPTIONS = {
  head: { type: 'string', multiple: true },
  file: { type: 'string' },
  limit: { type: 'string', default: '20' },
} as const;

try {
  process.exitCode = await run();
} catch (cause) {
  console.error(toSentence(cause));
  process.exitCode = 1;
}

async function run(): Promise<number> {
  const { positionals, values } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const [command] = positionals;
  const heads = (values.head ?? []).map(parseHead);
  if (command === 'verify' && values.file) return say(await openExport(values.file), heads);
  if (command === 'verify') return withAudit((audit) => say(audit, heads));
  if (command === 'export') return withAudit(exportAll);
  if (command === 'list') return withAudit((audit) => list(audit, Number(values.limit)));
  console.error(USAGE);
  return 1;
}

async function say(audit: Parameters<typeof verify>[0], heads: Parameters<typeof verify>[1]): Promise<number> {
  const { sentence, isWhole } = await verify(audit, heads);
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
