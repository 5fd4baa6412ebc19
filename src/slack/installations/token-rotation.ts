import { LRUCache } from 'lru-cache';
import { StoreUnavailableError, TransientError } from '../../errors.ts';
import { retry } from '../../retry.ts';
import type { StoredInstallation } from '../installation.ts';
import { readRefusal, SlackUnavailableError, toUnavailable } from '../web/slack-errors.ts';
import { EARLY_MS, openRefreshToken, sealRotation } from './find-installation.ts';
import type { InstallationUses } from './installation-services.ts';

/** The key of the lock under which installations are checked and changed: no token is checked while it is exchanged. */
export function toLockKey(workspace: string): string {
  return `installation:${workspace}`;
}

/**
 * Exchanges the token of a workspace if it is about to expire; once at a time, across replicas. The new pair is stored
 * when this resolves. Throws a TransientError if that is not possible now. Only for apps with `token_rotation_enabled`:
 * https://docs.slack.dev/authentication/using-token-rotation
 */
export type RefreshToken = (workspace: string) => Promise<void>;

/** Slack refuses the refresh token. Transient, because the app can be installed again at any time. */
class ReinstallNeededError extends TransientError {
  constructor(workspace: string) {
    super('slack_reinstall_needed', `${workspace} has to install the app again`);
  }
}

type RotationPorts = InstallationUses<
  'callWithToken' | 'installations' | 'vault' | 'clientId' | 'clientSecret' | 'withLock' | 'onChanged' | 'now' | 'log'
>;

/** The pause before a second try, in ms. */
const PAUSE_MS = 30_000;

const MAX_WORKSPACES = 1_000;

/** Codes after which the refresh token will never work again. */
const ENDED = new Set(['invalid_refresh_token', 'token_expired', 'token_revoked', 'invalid_grant']);

const SENTENCE = 'Slack refuses the refresh token of this workspace: install the app there again at /slack/install.';

export function createTokenRefresh(ports: RotationPorts): RefreshToken {
  const { installations, withLock, onChanged, now, log } = ports;
  const flights = new Map<string, Promise<void>>();
  const failed = new LRUCache<string, { error: unknown; at: number }>({ max: MAX_WORKSPACES });

  async function refresh(workspace: string): Promise<void> {
    const failure = failed.get(workspace);
    if (failure && Math.abs(now() - failure.at) < PAUSE_MS) throw failure.error;
    try {
      await withLock(toLockKey(workspace), () => exchange(workspace));
      failed.delete(workspace);
    } catch (error) {
      const unavailable = toUnavailable('oauth.v2.access', error);
      failed.set(workspace, { error: unavailable, at: now() });
      log.warn({ workspace, err: error, slackError: readRefusal(error) }, 'slack token not refreshed');
      throw unavailable;
    }
  }

  async function exchange(workspace: string): Promise<void> {
    const stored = await installations.get(workspace);
    // It was removed, or another replica was first.
    if (!stored?.rotation || stored.rotation.expiresAt - now() > EARLY_MS) return onChanged(workspace);
    if (stored.rotation.refusedAt !== undefined) throw new ReinstallNeededError(workspace);
    const fresh = await askForPair(ports, stored).catch((error: unknown) => endIfRefused(ports, stored, error));
    if (!fresh) return onChanged(workspace);
    const isStored = await storeInsistently(ports, { ...stored, ...fresh }, stored.sealedBotToken);
    onChanged(workspace);
    if (isStored) log.info({ workspace }, 'slack token refreshed');
  }

  return (workspace) => {
    const flight = flights.get(workspace) ?? refresh(workspace).finally(() => flights.delete(workspace));
    flights.set(workspace, flight);
    return flight;
  };
}

type SealedPair = Pick<StoredInstallation, 'sealedBotToken' | 'rotation'>;

async function askForPair(ports: RotationPorts, stored: StoredInstallation): Promise<SealedPair> {
  const { vault, callWithToken, clientId: client_id, clientSecret: client_secret, now } = ports;
  const askedAt = now();
  const refresh_token = openRefreshToken(vault, stored) ?? '';
  const args = { client_id, client_secret, grant_type: 'refresh_token' as const, refresh_token };
  // Slack limits it for the app, not for a workspace.
  const answer = await callWithToken('oauth.v2.access', { workspace: 'app', botToken: '' }, args);
  const { access_token, refresh_token: next, expires_in } = answer;
  if (!access_token || !next || !expires_in) throw new SlackUnavailableError('oauth.v2.access');
  const pair = { botToken: access_token, refreshToken: next, expiresAt: askedAt + expires_in * 1_000 };
  return sealRotation(vault, stored.workspace, pair);
}

/**
 * Records that the refresh token has ended, for the doctor, and so that Slack is not asked in vain. Throws, unless another
 * replica has exchanged the token meanwhile: this process may have been frozen, and have lost the lock.
 */
async function endIfRefused(ports: RotationPorts, stored: StoredInstallation, error: unknown): Promise<undefined> {
  const { installations, now, log } = ports;
  const { workspace, rotation } = stored;
  if (!rotation || !ENDED.has(readRefusal(error) ?? '')) throw error;
  const current = await installations.get(workspace);
  if (current?.sealedBotToken !== stored.sealedBotToken) return undefined;
  log.error({ workspace, slackError: readRefusal(error), sentence: SENTENCE }, 'slack token has ended');
  await installations.replace({ ...stored, rotation: { ...rotation, refusedAt: now() } }, stored.sealedBotToken);
  throw new ReinstallNeededError(workspace);
}

/** In ms: together about as long as a store takes to restart. */
const SAVE_PAUSES_MS = [250, 500, 1_000, 2_000, 4_000];

/** The old refresh token is spent: without the new one the app would have to be installed again. */
function storeInsistently(
  { installations }: RotationPorts,
  fresh: StoredInstallation,
  formerToken: string,
): Promise<boolean> {
  return retry(
    () => installations.replace(fresh, formerToken),
    (error, failures) => (error instanceof StoreUnavailableError ? SAVE_PAUSES_MS[failures - 1] : undefined),
  );
}
