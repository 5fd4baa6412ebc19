// The plan of src/: what architecture.test.ts holds the code to.

/**
 * Who may import what, from `src/`. A folder is its own neighbour; what is not listed is not allowed. `types` may be
 * imported as types only: they are contracts, not code.
 */
export const ALLOWED: Record<string, { code: string[]; types?: string[]; packages?: RegExp }> = {
  'main.ts': { code: ['compile-cache.ts', 'run-process.ts'] },
  'compile-cache.ts': { code: [], packages: /^node:(fs|module|url)$/ },
  'run-process.ts': {
    code: ['app.ts', 'backend', 'config.ts', 'errors.ts', 'log.ts'],
    packages: /^node:fs\/promises$/,
  },
  backend: {
    code: [
      'audit',
      'conversation',
      'delivery',
      'delivery/bullmq',
      'errors.ts',
      'fault-log.ts',
      'governance',
      'identity',
      'policy',
      'slack',
      'storage',
      'storage/sqlite',
      'storage/redis',
      'usage',
    ],
    types: ['config.ts', 'log.ts', 'with-lock.ts'],
    packages: /^node:(crypto|fs|path|sqlite)$/,
  },
  'app.ts': {
    code: ['conversation', 'delivery', 'http', 'slack', 'version.ts', 'wiring'],
    types: ['backend', 'config.ts', 'log.ts'],
    packages: /^node:timers\/promises$/,
  },
  wiring: {
    code: [
      'assistant',
      'admin-api',
      'backend',
      'conversation',
      'delivery',
      'doctor',
      'errors.ts',
      'governance',
      'http',
      'identity',
      'languages',
      'ops',
      'policy',
      'retry.ts',
      'slack',
      'tracing.ts',
      'usage',
    ],
    types: ['config.ts', 'log.ts'],
    packages: /^(node:(crypto|timers\/promises)|@slack\/bolt)$/,
  },
  // Looks at everything, as wiring connects everything.
  doctor: {
    code: [
      'admin-api',
      'assistant',
      'audit',
      'backend',
      'config.ts',
      'errors.ts',
      'extra-certificates.ts',
      'governance',
      'http',
      'identity',
      'json.ts',
      'policy',
      'run-in-worker.ts',
      'slack',
      'storage/redis',
      'storage/sqlite',
      'version.ts',
      'wiring',
    ],
    types: ['conversation', 'ops'],
    packages: /^(redis|node:(crypto|diagnostics_channel|fs|fs\/promises|net|path|sqlite|tls))$/,
  },
  'config.ts': {
    code: ['config-variables.ts', 'env-file.ts', 'errors.ts', 'extra-certificates.ts'],
    types: ['config-values.ts', 'governance'],
  },
  'config-variables.ts': {
    code: ['audit', 'config-values.ts', 'extra-certificates.ts', 'governance', 'identity', 'languages'],
  },
  'env-file.ts': { code: ['errors.ts', 'governance'], packages: /^node:(fs|util)$/ },
  'extra-certificates.ts': { code: [], types: ['config-values.ts'], packages: /^node:(crypto|fs|tls)$/ },
  'config-values.ts': { code: [], packages: /^(luxon|croner|node:net)$/ },
  'errors.ts': { code: [] },
  'tls-fault.ts': { code: [] },
  'run-in-worker.ts': { code: [], types: ['errors.ts'], packages: /^node:worker_threads$/ },
  'log.ts': { code: [], packages: /^(pino|node:os)$/ },
  'fault-log.ts': { code: [], types: ['log.ts'] },
  'version.ts': { code: [], packages: /package\.json$/ },
  'retry.ts': { code: [] },
  'tracing.ts': { code: ['errors.ts', 'version.ts'], packages: /^@opentelemetry\/api$/ },
  'time-limit.ts': { code: [] },
  'with-lock.ts': { code: [] },
  'html.ts': { code: [] },
  'json.ts': { code: [] },
  'canonical-json.ts': { code: [] },
  languages: { code: ['html.ts'] },
  slack: {
    code: [
      'errors.ts',
      'fault-log.ts',
      'html.ts',
      'json.ts',
      'retry.ts',
      'time-limit.ts',
      'tracing.ts',
      'run-in-worker.ts',
      'http',
      'identity',
      'conversation',
      'languages',
      'storage',
      'with-lock.ts',
    ],
    types: ['log.ts'],
    packages:
      /^(@slack\/|@modelcontextprotocol\/sdk\/|markdown-it$|luxon$|lru-cache$|zod$|node:crypto$|node:http$|node:timers\/promises$)/,
  },
  conversation: {
    code: ['errors.ts', 'languages', 'retry.ts', 'storage', 'time-limit.ts', 'with-lock.ts'],
    types: ['assistant', 'log.ts'],
    packages: /^node:crypto$/,
  },
  delivery: {
    code: ['conversation', 'errors.ts', 'time-limit.ts'],
    types: ['log.ts'],
    packages: /^(luxon|node:crypto)$/,
  },
  'delivery/bullmq': {
    code: ['delivery', 'errors.ts', 'fault-log.ts', 'redis', 'retry.ts', 'time-limit.ts'],
    types: ['conversation', 'log.ts'],
    packages: /^(bullmq|redis)$/,
  },
  identity: {
    code: ['errors.ts', 'fault-log.ts', 'html.ts', 'json.ts', 'languages', 'retry.ts', 'http', 'storage'],
    types: ['conversation', 'log.ts', 'with-lock.ts'],
    packages: /^(openid-client|zod|node:(crypto|http))$/,
  },
  assistant: { code: ['errors.ts', 'http', 'json.ts', 'tracing.ts'], types: ['conversation'] },
  'admin-api': { code: ['errors.ts', 'http', 'json.ts', 'retry.ts'] },
  // What is approved, and what was done about it: below all who decide, show or obey it.
  policy: { code: ['storage'], types: ['conversation'], packages: /^zod$/ },
  audit: {
    code: ['canonical-json.ts', 'errors.ts', 'json.ts', 'storage'],
    types: ['log.ts'],
    packages: /^node:(crypto|timers\/promises)$/,
  },
  governance: {
    code: [
      'admin-api',
      'canonical-json.ts',
      'conversation',
      'errors.ts',
      'http',
      'identity',
      'languages',
      'policy',
      'retry.ts',
      'run-in-worker.ts',
      'slack',
      'storage',
      'time-limit.ts',
      'usage',
      'with-lock.ts',
    ],
    types: ['audit', 'log.ts'],
    packages: /^(yaml|zod|croner|luxon|lru-cache|@slack\/(bolt|types)|node:(crypto|fs\/promises|timers\/promises))$/,
  },
  http: {
    code: ['errors.ts', 'json.ts', 'fault-log.ts', 'tls-fault.ts'],
    types: ['log.ts'],
    packages: /^(undici|node:(diagnostics_channel|http|net))$/,
  },
  ops: {
    code: ['http', 'time-limit.ts', 'version.ts'],
    packages: /^(prom-client|node:(crypto|http|net|perf_hooks))$/,
  },
  usage: { code: ['storage'], types: ['conversation'], packages: /^(lru-cache|node:crypto)$/ },
  redis: { code: [], packages: /^(redis|node:net)$/ },
  // Below all who keep something in it: it knows no record by name.
  storage: { code: ['errors.ts'] },
  'storage/sqlite': { code: ['errors.ts', 'storage'], packages: /^node:(sqlite|fs)$/ },
  'storage/redis': {
    code: ['errors.ts', 'fault-log.ts', 'redis', 'storage', 'time-limit.ts', 'tls-fault.ts'],
    types: ['log.ts', 'with-lock.ts'],
    packages: /^(redis|node:crypto)$/,
  },
};

/** The one type of everything that governance is connected from: all of it may import that, and it imports types alone. */
export const SERVICES = 'governance/services.ts';

/** What administrators do, from below: each may import what stands before it, types included. */
export const SLICES = [
  'shell',
  'exports',
  'inventory',
  'operations',
  'plan',
  'run',
  'approval',
  'forms',
  'channel-rules',
  'review',
  'consumption',
  'schedule',
  'lists',
  'policy-documents',
  'commands',
  'services.ts',
  'admin-listeners.ts',
];

/** The one file of governance that Slack reaches it through. */
export const ADMIN_SHELL = 'governance/shell/admin-shell.ts';

/** In governance, what knows Slack says so by its name; the shell is where Slack reaches it. */
export const KNOWS_SLACK =
  /^governance\/shell\/|\/slack-|[-/](views|words|form|modal|messages?|command|actions?|buttons|listeners?|delivery|kind)\.ts$/;

/** Parts of governance that know no Slack and use a package all the same: a format, a calendar, a cache. */
export const WITH_PACKAGES = [
  'governance/inventory/inventory-cache.ts',
  'governance/lists/list-query.ts',
  'governance/lists/list-reader.ts',
  'governance/operations/operations.ts',
  'governance/policy-documents/document-problems.ts',
  'governance/policy-documents/document-schema.ts',
  'governance/policy-documents/read-document.ts',
  'governance/policy-documents/register.ts',
  'governance/schedule/schedule-state.ts',
];

/** One file each, however short: a language, a check of the doctor, a view. */
export const ONE_EACH = /^(languages|doctor\/checks|slack\/views)\//;

/** Files of less than 40 lines with one importer, and why they stand alone. */
export const SMALL_FILES: Record<string, string> = {
  'main.ts': 'switches the compile cache on before anything else is loaded',
  'compile-cache.ts': 'the same',
  'doctor/examine-in-worker.ts': 'runs in the app, and the rest of the doctor in its thread',
  'doctor/examine-worker.ts': 'the entry of a worker thread',
  'backend/open-backend.ts': 'loads one of the two',
  'backend/shared-backend.ts': 'one of the two',
  'ops/ops-server.ts': 'the one port that only operators reach',
  'governance/admin-listeners.ts': 'the list of everything that administrators do',
  'governance/policy-documents/read-document-worker.ts': 'the entry of a worker thread',
  'slack/text-out/render-worker.ts': 'the entry of a worker thread',
};

/** What is loaded before the app is ready, with everything that these import. */
export const START = ['run-process.ts', 'app.ts', 'backend/embedded-backend.ts', 'backend/shared-backend.ts'];

/** Packages that only questions, commands and the queue need. */
export const NEEDED_LATER = /^(bullmq|markdown-it|yaml|@modelcontextprotocol\/.+)$/;

/** The files that name a method `chat.*` of Slack: to post is the business of two, the others are about all methods. */
export const CHAT_FILES = [
  'slack/messenger.ts',
  'slack/reply-streams.ts',
  'slack/slack-reply.ts',
  'slack/web/limits.ts',
];

/** The files that give the client of Slack's own packages its options: those who have Bolt or its OAuth make one. */
export const BOLT_CLIENT_FILES = [
  'slack/bolt-app.ts',
  'slack/installations/install-routes.ts',
  'slack/web/bolt-client.ts',
];

/** 200 lines are worth a question; more than 400 nobody reads in one go. */
export const MAX_LINES = 400;

/**
 * How many lines each part of the project may have, as `wc -l` counts them: files of every kind but pictures and the lock
 * file. A commit that makes a part smaller lowers its budget; one that raises a budget says why.
 */
export const BUDGETS: { part: string; folders: string[]; lines: number }[] = [
  { part: 'governance', folders: ['src/governance'], lines: 17_175 },
  { part: 'policy, audit', folders: ['src/policy', 'src/audit'], lines: 1_324 },
  { part: 'slack', folders: ['src/slack'], lines: 12_102 },
  { part: 'storage, delivery, backend', folders: ['src/storage', 'src/delivery', 'src/backend'], lines: 4_563 },
  { part: 'identity', folders: ['src/identity'], lines: 3_288 },
  { part: 'doctor', folders: ['src/doctor'], lines: 1_834 },
  {
    part: 'conversation, assistant, admin-api',
    folders: ['src/conversation', 'src/assistant', 'src/admin-api'],
    lines: 4_907,
  },
  { part: 'languages', folders: ['src/languages'], lines: 1_576 },
  { part: 'http, ops, usage', folders: ['src/http', 'src/ops', 'src/usage'], lines: 2_230 },
  { part: 'src', folders: ['src'], lines: 51_896 },
  { part: 'sandbox', folders: ['test/sandbox'], lines: 19_766 },
  { part: 'test', folders: ['test'], lines: 82_247 },
  { part: 'scripts', folders: ['scripts'], lines: 5_961 },
];

/** How many files `src/` may have. */
export const MAX_FILES = 453;

/** How many words README, CONTRIBUTING, CHANGELOG, the sandbox's README and `docs/` may have together. */
export const MAX_WORDS = 20_000;
