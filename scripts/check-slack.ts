import { loadSome } from '../src/config.ts';
import { UserError } from '../src/errors.ts';
import { createHttpClient, type HttpClient } from '../src/http/http-client.ts';
import { listEveryKind } from '../test/slack/catalogue/every-kind.ts';
import { checkKinds } from './check-slack/check-kinds.ts';
import { compareFacts } from './check-slack/compare-facts.ts';
import { FACTS } from './check-slack/facts.ts';
import { type Look, openProbe } from './check-slack/probe.ts';
import { SlackUnreachableError } from './check-slack/send.ts';
import { runCommand } from './run-command.ts';
import { openTerminal } from './setup/terminal.ts';

// The thread that renders long answers keeps no process alive.
const keepAlive = setInterval(() => undefined, 60_000);
await runCommand({
  usage: `npm run check:slack: tries about thirty facts that the app relies on in a real workspace, and compares the results
with the sandbox. Where they differ, it names the line of the sandbox to mend. Reads SLACK_BOT_TOKEN and HTTPS_PROXY. It
posts into one channel, deletes these messages again, and takes a minute or two. Choose a channel for tests.

  npm run check:slack -- --channel C0123 --user U0123    the app and this person must be in the channel; the person is
                                                         asked what they see

  npm run check:slack -- --blocks                        sends every kind of message and window that the app shows to
                                                         blocks.validate, which needs no token and posts nothing, and
                                                         takes a quarter of an hour
  npm run check:slack -- --blocks --only "sign in"       only those with this in their name
  npm run check:slack -- --blocks --only "(de)"          only those in German
  npm run check:slack -- --blocks --list                 lists them, and sends nothing

  --per-minute <n>   calls of blocks.validate per minute (50)
  --url <address>    the address of the Web API (https://slack.com/api/)

Ends with 0, or with 1 if something differs, if Slack refuses a message or window, or if Slack cannot be asked.`,
  options: {
    blocks: { type: 'boolean' },
    channel: { type: 'string' },
    user: { type: 'string' },
    list: { type: 'boolean' },
    only: { type: 'string', default: '' },
    'per-minute': { type: 'string', default: '50' },
    url: { type: 'string', default: 'https://slack.com/api/' },
  },
  failed(_, cause) {
    if (cause instanceof SlackUnreachableError) return cause.message;
    return `It failed: ${cause instanceof Error ? cause.stack : String(cause)}`;
  },
  async run({ url, ...values }) {
    const perMinute = Number(values['per-minute']);
    if (!(perMinute > 0)) throw new UserError('no_number', '--per-minute must be a number above 0.');
    if (!URL.canParse(url)) throw new UserError('no_address', '--url must be an address.');
    const options = { ...values, perMinute, apiUrl: url.replace(/\/*$/, '/') };
    const http = createHttpClient({ proxies: loadSome(['HTTPS_PROXY', 'NO_PROXY']) });
    try {
      return await (options.blocks ? checkBlocks(options, http) : checkFacts(options, http));
    } finally {
      await http.close();
    }
  },
});
clearInterval(keepAlive);

type BlockOptions = { only: string; list?: boolean | undefined; perMinute: number; apiUrl: string };

async function checkBlocks({ only, list, perMinute, apiUrl }: BlockOptions, http: HttpClient): Promise<number> {
  const kinds = (await listEveryKind()).filter(({ kind }) => kind.includes(only));
  if (list) {
    for (const { kind } of kinds) console.log(kind);
    return 0;
  }
  const refused = await checkKinds(kinds, { http, apiUrl, pauseMs: 60_000 / perMinute, print: console.log });
  console.log(refused === 0 ? `Slack takes all ${kinds.length}.` : `Slack refuses ${refused} of ${kinds.length}.`);
  return refused === 0 ? 0 : 1;
}

type FactOptions = { channel?: string | undefined; user?: string | undefined; apiUrl: string };

async function checkFacts({ channel, user, apiUrl }: FactOptions, http: HttpClient): Promise<number> {
  const { SLACK_BOT_TOKEN: token } = loadSome(['SLACK_BOT_TOKEN']);
  if (!token || !channel || !user)
    throw new UserError('not_enough', 'Set SLACK_BOT_TOKEN, and name a channel and a person: see --help.');
  const terminal = process.stdin.isTTY ? openTerminal() : undefined;
  const look: Look = async ({ question }) => {
    if (!terminal) return 'unseen';
    return (await terminal.agrees(question)) ? 'shown' : 'not shown';
  };
  try {
    const slack = await openProbe({ http, apiUrl, token, channel, user, look });
    const differing = await compareFacts(slack, { http, print: console.log });
    const of = `${FACTS.length} facts`;
    console.log(differing === 0 ? `None of ${of} differs.` : `The sandbox differs in ${differing} of ${of}.`);
    return differing === 0 ? 0 : 1;
  } finally {
    terminal?.close();
  }
}
