import { parseArgs } from 'node:util';
import { loadSome } from '../src/config.ts';
import { createHttpClient } from '../src/http/http-client.ts';
import { listEveryKind } from '../test/slack/catalogue/every-kind.ts';
import { checkKinds, SlackUnreachableError } from './check-slack/check-kinds.ts';

const USAGE = `npm run check:slack: sends every kind of message and window that the app shows to Slack's blocks.validate, and prints
what Slack says about each. Needs a way to Slack, and no token. Nothing is posted. Reads HTTPS_PROXY.

  npm run check:slack                         all of them, which takes a quarter of an hour
  npm run check:slack -- --only "sign in"     those with this in their name
  npm run check:slack -- --only "(de)"        those in German
  npm run check:slack -- --list               names them, and asks nobody

  --per-minute <n>   how many calls (50)
  --url <address>    of the Web API (https://slack.com/api/)

Ends with 0, or with 1 if Slack refuses one, or cannot be asked.`;

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  list: { type: 'boolean' },
  only: { type: 'string', default: '' },
  'per-minute': { type: 'string', default: '50' },
  url: { type: 'string', default: 'https://slack.com/api/' },
} as const;

function readOptions() {
  try {
    const { values } = parseArgs({ options: OPTIONS });
    const perMinute = Number(values['per-minute']);
    return perMinute > 0 && URL.canParse(values.url) ? { ...values, perMinute } : undefined;
  } catch {
    return undefined;
  }
}

async function main(): Promise<number> {
  const options = readOptions();
  if (options === undefined || options.help) {
    console.log(USAGE);
    return options === undefined ? 1 : 0;
  }
  const kinds = (await listEveryKind()).filter(({ kind }) => kind.includes(options.only));
  if (options.list) {
    for (const { kind } of kinds) console.log(kind);
    return 0;
  }
  const http = createHttpClient({ proxies: loadSome(['HTTPS_PROXY', 'NO_PROXY']) });
  const apiUrl = options.url.replace(/\/*$/, '/');
  try {
    const refused = await checkKinds(kinds, { http, apiUrl, pauseMs: 60_000 / options.perMinute, print: console.log });
    console.log(refused === 0 ? `Slack takes all ${kinds.length}.` : `Slack refuses ${refused} of ${kinds.length}.`);
    return refused === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof SlackUnreachableError)) throw error;
    console.error(error.message);
    return 1;
  } finally {
    await http.close();
  }
}

// The thread that renders long answers keeps no process alive.
const keepAlive = setInterval(() => undefined, 60_000);
process.exitCode = await main();
clearInterval(keepAlive);
