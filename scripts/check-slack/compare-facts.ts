import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startSlack } from '@assistant-bridge/sandbox/slack/start-slack.ts';
import { FACTS, type Fact } from './facts.ts';
import { type Look, openProbe, type Probe } from './probe.ts';
import type { Asking } from './send.ts';

const PLAYED_AT = 'test/sandbox/slack';

/** `look` reads what this person sees in the sandbox. */
const USER = 'U0ANA';
const CHANNEL = 'C0GENERAL';

type Printing = Pick<Asking, 'http' | 'wait'> & { print(line: string): void; facts?: readonly Fact[] };

/** Tries each fact on this Slack and on the sandbox. Returns how many differ. */
export async function compareFacts(slack: Probe, { http, wait, print, facts = FACTS }: Printing): Promise<number> {
  const sandbox = await startSlack({ rateLimits: 'documented' });
  const look: Look = async ({ channel, threadTs, words }) => {
    const seen = sandbox.as(USER).sees(channel, threadTs);
    return seen.some(({ text }) => text === words) ? 'shown' : 'not shown';
  };
  const { apiUrl, botToken: token } = sandbox;
  const played = await openProbe({ http, wait, apiUrl, token, channel: CHANNEL, user: USER, look });
  let differing = 0;
  try {
    for (const fact of facts) {
      const [found, expected] = [await find(fact, slack), await find(fact, played)];
      const isUnseen = found === 'unseen';
      if (!isUnseen && found !== expected) differing += 1;
      print(describe(fact, found, expected));
    }
  } finally {
    await slack.clear();
    await sandbox.close();
  }
  return differing;
}

async function find(fact: Fact, slack: Probe): Promise<string> {
  try {
    return await fact.find(slack);
  } catch (error) {
    return `failed: ${error instanceof Error ? error.message : 'unknown'}`;
  }
}

function describe(fact: Fact, found: string, expected: string): string {
  if (found === expected) return `✓ ${fact.name}: ${found}`;
  if (found === 'unseen') return `· ${fact.name}: nobody looked. The sandbox: ${expected}`;
  return `✗ ${fact.name}: ${found}. The sandbox: ${expected}. To mend: ${findLine(fact)}`;
}

/** Where the sandbox plays the fact, as `file:line`. Throws if it is not there any more. */
export function findLine({ name, played: { file, words } }: Fact): string {
  const path = fileURLToPath(new URL(`../../${PLAYED_AT}/${file}`, import.meta.url));
  const line =
    readFileSync(path, 'utf8')
      .split('\n')
      .findIndex((text) => text.includes(words)) + 1;
  if (line === 0) throw new Error(`“${name}” is not played by ${PLAYED_AT}/${file} any more: it has no “${words}”`);
  return `${PLAYED_AT}/${file}:${line}`;
}
