import type { Config } from '../config.ts';
import type { HttpClient } from '../http/http-client.ts';
import { askSlack, type TokenAnswer } from './ask-slack.ts';
import { describeScopes, type ScopeDifference } from './describe-scopes.ts';
import { error, type Finding, ok } from './finding.ts';
import { lookAtAddress } from './look-at-address.ts';
import { lookAtFeedbackChannel } from './look-at-feedback-channel.ts';
import { describeFault, describeUnreachable } from './slack-fault.ts';

/** The tokens. Without a bot token only whether Slack is there: see look-at-installations.ts. */
export async function lookAtSlack(
  config: Config,
  http: HttpClient,
  isAppReady = Promise.resolve(false),
): Promise<Finding[]> {
  const found = await Promise.all([lookAtBotToken(config, http), lookAtAppToken(config, http, isAppReady)]);
  return found.flat();
}

/** Slack lets an address be asked for once a minute, and the app may need it: so not where the app is connected. */
export async function lookAtAppToken(
  config: Config,
  http: HttpClient,
  isAppReady = Promise.resolve(false),
): Promise<Finding[]> {
  const { SLACK_API_URL: apiUrl, SLACK_APP_TOKEN: botToken } = config;
  if (!botToken) return [];
  if (await isAppReady) return [ok('The app is connected to Slack (Socket Mode).')];
  const answer = await askSlack(http, { apiUrl, botToken, method: 'apps.connections.open' });
  if (answer.kind === 'accepted') return [ok('Slack accepts SLACK_APP_TOKEN.')];
  const where = 'Basic Information → App-Level Tokens, where it needs the scope connections:write';
  return [describeFailure(answer, apiUrl, { name: 'SLACK_APP_TOKEN', where })];
}

/** Whether Slack accepts it, with which scopes. */
export async function lookAtBotToken(config: Config, http: HttpClient): Promise<Finding[]> {
  const { SLACK_API_URL: apiUrl, SLACK_BOT_TOKEN: botToken } = config;
  if (!botToken) return [await lookAtAddress({ who: 'Slack', variable: 'SLACK_API_URL', address: apiUrl }, config)];
  const answer = await askSlack(http, { apiUrl, botToken });
  const feedback = answer.kind === 'accepted' ? await lookAtFeedbackChannel(config, http, botToken) : [];
  return [...describe(config, answer), ...feedback];
}

function describe({ SLACK_API_URL: apiUrl, PUBLIC_URL: publicUrl }: Config, answer: TokenAnswer): Finding[] {
  const where = 'OAuth & Permissions → Bot User OAuth Token';
  if (answer.kind !== 'accepted') return [describeFailure(answer, apiUrl, { name: 'SLACK_BOT_TOKEN', where })];
  return [
    ok(`Slack accepts SLACK_BOT_TOKEN: the app is in ${answer.team} (${answer.teamId}).`),
    ...(answer.scopes ? judgeScopes(answer.scopes, publicUrl) : []),
  ];
}

type Failure = Exclude<TokenAnswer, { kind: 'accepted' }>;

/** `where`: in the settings of the app the token is copied from. */
function describeFailure(answer: Failure, apiUrl: string, token: { name: string; where: string }): Finding {
  if (answer.kind === 'unreachable') return describeUnreachable(apiUrl, answer.fault);
  if (answer.kind === 'fault') return describeFault(answer.code, answer.retryAfterSeconds);
  return error(`Slack does not accept ${token.name} (${answer.code}). Copy it again from ${token.where}.`);
}

function judgeScopes(scopes: ScopeDifference, publicUrl: string): Finding[] {
  const reinstall = 'press Install App → Reinstall to Workspace';
  const findings = describeScopes(scopes, { subject: 'It', reinstall, publicUrl });
  return scopes.missing.length > 0 ? findings : [ok('It has every scope of the manifest.'), ...findings];
}
