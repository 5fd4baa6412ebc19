import type { Config } from '../../src/config.ts';
import { askSlack, type TokenAnswer } from './ask-slack.ts';
import { error, type Finding, ok, warning } from './finding.ts';
import { lookAtAddress } from './look-at-address.ts';
import { describeFault, describeUnreachable } from './slack-fault.ts';

/** Requests whose time is further off than five minutes are refused, on both sides. */
const LATE_MS = 60_000;
const TOO_LATE_MS = 240_000;

/** The bot token, its scopes, and the clock. Without one only whether Slack is there: see look-at-installations.ts. */
export async function lookAtSlack(config: Config): Promise<Finding[]> {
  const { SLACK_API_URL: apiUrl, SLACK_BOT_TOKEN: botToken } = config;
  if (!botToken) return [await lookAtAddress({ who: 'Slack', variable: 'SLACK_API_URL', address: apiUrl })];
  return describe(apiUrl, await askSlack(apiUrl, botToken));
}

function describe(apiUrl: string, answer: TokenAnswer): Finding[] {
  switch (answer.kind) {
    case 'unreachable':
      return [describeUnreachable(apiUrl)];
    case 'fault':
      return [describeFault(answer.code, answer.retryAfterSeconds)];
    case 'refused':
      return [error(`Slack does not accept SLACK_BOT_TOKEN (${answer.code}). Copy it anew from OAuth & Permissions.`)];
    case 'accepted':
      return [
        ok(`Slack accepts SLACK_BOT_TOKEN: the app is in ${answer.team} (${answer.teamId}).`),
        ...describeScopes(answer.missingScopes),
        ...inspectClock(answer.date),
      ];
  }
}

function describeScopes(missing: string[] | undefined): Finding[] {
  if (missing === undefined) return [];
  if (missing.length === 0) return [ok('It has every scope of the manifest.')];
  const sentence = `It lacks ${missing.join(', ')}. Bring the app's manifest up to date (npm run manifest), and install it again.`;
  return [warning(sentence)];
}

export function inspectClock(date: string | null): Finding[] {
  const offMs = Date.now() - Date.parse(date ?? '');
  const sentence = `This machine's clock is ${Math.round(Math.abs(offMs) / 1000)} s off from Slack's; requests that are five minutes off are refused. Set it.`;
  if (Math.abs(offMs) >= TOO_LATE_MS) return [error(sentence)];
  return Math.abs(offMs) >= LATE_MS ? [warning(sentence)] : [];
}
