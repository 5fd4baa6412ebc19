import type { Config } from '../../src/config.ts';
import { BOT_SCOPES } from '../../src/slack/installations/bot-scopes.ts';
import { error, type Finding, ok, warning } from './finding.ts';
import { lookAtAddress } from './look-at-address.ts';

const TIMEOUT_MS = 5_000;

/** Requests whose time is further off than five minutes are refused, on both sides. */
const LATE_MS = 60_000;
const TOO_LATE_MS = 240_000;

/** The bot token, its scopes, and the clock. Without a bot token only whether Slack is there. */
export async function lookAtSlack(config: Config): Promise<Finding[]> {
  const { SLACK_API_URL: apiUrl, SLACK_BOT_TOKEN: botToken } = config;
  if (!botToken) return [await lookAtAddress({ who: 'Slack', variable: 'SLACK_API_URL', address: apiUrl })];
  const asked = await askWhoWeAre(apiUrl, botToken);
  if (!asked) return [error(`Slack cannot be asked at ${apiUrl}. Check the network, and SLACK_API_URL.`)];
  const { body, headers } = asked;
  if (!body.ok) {
    return [error(`Slack does not accept SLACK_BOT_TOKEN (${body.error}). Copy it anew from OAuth & Permissions.`)];
  }
  return [
    ok(`Slack accepts SLACK_BOT_TOKEN: the app is in ${body.team ?? 'a workspace'} (${body.team_id}).`),
    ...inspectScopes(headers.get('x-oauth-scopes')),
    ...inspectClock(headers.get('date')),
  ];
}

type Identity = { ok: boolean; error?: string; team?: string; team_id?: string };

async function askWhoWeAre(
  apiUrl: string,
  botToken: string,
): Promise<{ body: Identity; headers: Headers } | undefined> {
  try {
    const response = await fetch(`${apiUrl}/auth.test`, {
      method: 'POST',
      headers: { authorization: `Bearer ${botToken}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = (await response.json()) as Identity;
    return { body, headers: response.headers };
  } catch {
    return undefined;
  }
}

function inspectScopes(header: string | null): Finding[] {
  if (header === null) return [];
  const granted = new Set(header.split(',').map((scope) => scope.trim()));
  const missing = BOT_SCOPES.filter((scope) => !granted.has(scope));
  if (missing.length === 0) return [ok('It has every scope of the manifest.')];
  const sentence = `It lacks ${missing.join(', ')}. Bring the app's manifest up to date (npm run manifest), and install it again.`;
  return [warning(sentence)];
}

function inspectClock(date: string | null): Finding[] {
  const offMs = Date.now() - Date.parse(date ?? '');
  const sentence = `This machine's clock is ${Math.round(Math.abs(offMs) / 1000)} s off from Slack's; requests that are five minutes off are refused. Set it.`;
  if (Math.abs(offMs) >= TOO_LATE_MS) return [error(sentence)];
  return Math.abs(offMs) >= LATE_MS ? [warning(sentence)] : [];
}
