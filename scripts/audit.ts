import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { loadAuditKeys } from '../src/config.ts';
import { type AuditHead, type AuditReader, toAuditLine } from '../src/governance/audit/audit-log.ts';
import { renderEntry } from './audit/entry-line.ts';
import { openExport } from './audit/open-export.ts';
import { parseHead, type Verified, verify } from './audit/verify.ts';
import { toSentence, USAGE, withAudit } from './audit/with-audit.ts';

const OPTIONS = {
  head: { type: 'string', multiple: true },
  file: { type: 'string' },
  limit: { type: 'string', default: '20' },
  help: { type: 'boolean', short: 'h' },
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
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const heads = (values.head ?? []).map(parseHead);
  if (command === 'verify' && values.file) return say(await openExport(values.file), heads);
  if (command === 'verify') return withAudit((audit) => say(audit, heads));
  if (command === 'export') return withAudit(exportAll);
  if (command === 'list') return withAudit((audit) => list(audit, Number(values.limit)));
  console.error(USAGE);
  return 1;
}

async function say(audit: Verified, heads: AuditHead[]): Promise<number> {
  const { sentence, isWhole } = await verify(audit, heads, loadAuditKeys());
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
