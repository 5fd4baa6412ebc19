import type { Config } from '../../src/config.ts';
import { askSlack, type TokenAnswer } from './ask-slack.ts';
import { describeScopes, type ScopeDifference } from './describe-scopes.ts';
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
  return describe(config, await askSlack(apiUrl, botToken));
}

function describe({ SLACK_API_URL: apiUrl, PUBLIC_URL: publicUrl }: Config, answer: TokenAnswer): Finding[] {
  switch (answer.kind) {
    case 'unreachable':
      return [describeUnreachable(apiUrl)];
    case 'fault':
      return [describeFault(answer.code, answer.retryAfterSeconds)];
    case 'refused':
      return [
        error(
          `Slack does not accept SLACK_BOT_TOKEN (${answer.code}). Copy it anew from OAuth & Permissions → Bot User OAuth Token.`,
        ),
      ];
    case 'accepted':
      return [
        ok(`Slack accepts SLACK_BOT_TOKEN: the app is in ${answer.team} (${answer.teamId}).`),
        ...(answer.scopes ? judgeScopes(answer.scopes, publicUrl) : []),
        ...inspectClock(answer.date),
      ];
  }
}

function judgeScopes(scopes: ScopeDifference, publicUrl: string): Finding[] {
  const reinstall = 'press Install App → Reinstall to Workspace';
  const findings = describeScopes(scopes, { subject: 'It', reinstall, publicUrl });
  return scopes.missing.length > 0 ? findings : [ok('It has every scope of the manifest.'), ...findings];
}

export function inspectClock(date: string | null): Finding[] {
  const offMs = Date.now() - Date.parse(date ?? '');
  const sentence = `This machine's clock is ${Math.round(Math.abs(offMs) / 1000)} s off from Slack's; requests that are five minutes off are refused. Set it.`;
  if (Math.abs(offMs) >= TOO_LATE_MS) return [error(sentence)];
  return Math.abs(offMs) >= LATE_MS ? [warning(sentence)] : [];
}
