// Who sent a request of Slack's: for which installation, and in which language they are answered.
import { isObject } from '../json.ts';
import type { Texts } from '../languages/english.ts';
import { textsOf } from '../languages/texts.ts';
import { withinTime } from '../time-limit.ts';
import type { FindInstallation, Installation } from './installation.ts';
import type { Uses } from './services.ts';

/** The team that a request belongs to, and its enterprise if Slack names it. */
export type RequestSource = { workspace: string; enterprise: string | undefined };

/** The installation that a request from Slack belongs to. Throws UnknownWorkspaceError. */
export function installationOf(
  body: object,
  { findInstallation }: { findInstallation: FindInstallation },
): Promise<Installation> {
  const { workspace, enterprise } = readSource(body);
  return findInstallation(workspace, enterprise);
}

/**
 * Reads any event, command or interaction. In channels shared between organisations `team_id` may be the other team, so
 * fields that name our installation come first. If the app is installed for a whole organisation, interactions name only
 * the person's team, and events of the organisation itself name no team.
 */
export function readSource(body: object): RequestSource {
  const found = 'event' in body ? readEvent(body) : 'command' in body ? readCommand(body) : readInteraction(body);
  return { workspace: found.workspace ?? found.enterprise ?? '', enterprise: found.enterprise };
}

type Found = { workspace: string | undefined; enterprise: string | undefined };

function readEvent(body: object): Found {
  const authorizations = fieldOf(body, 'authorizations');
  const through: unknown = Array.isArray(authorizations) ? authorizations[0] : undefined;
  const workspace = idOf(body, 'context_team_id') ?? idOf(through, 'team_id') ?? idOf(body, 'team_id');
  const enterprise = idOf(body, 'context_enterprise_id') ?? idOf(through, 'enterprise_id');
  // `enterprise_id` belongs to `team_id`, which may be another team than ours.
  const ofTeam = workspace === (idOf(body, 'team_id') ?? workspace) ? idOf(body, 'enterprise_id') : undefined;
  return { workspace, enterprise: enterprise ?? ofTeam };
}

function readCommand(body: object): Found {
  return { workspace: idOf(body, 'team_id'), enterprise: idOf(body, 'enterprise_id') };
}

function readInteraction(body: object): Found {
  const team = fieldOf(body, 'team');
  const installed = idOf(fieldOf(body, 'view'), 'app_installed_team_id');
  return {
    workspace: installed ?? idOf(team, 'id') ?? idOf(fieldOf(body, 'user'), 'team_id'),
    enterprise: idOf(fieldOf(body, 'enterprise'), 'id') ?? idOf(team, 'enterprise_id'),
  };
}

function idOf(record: unknown, name: string): string | undefined {
  const value = fieldOf(record, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function fieldOf(record: unknown, name: string): unknown {
  return isObject(record) ? record[name] : undefined;
}

export type TextsPorts = Uses<'people' | 'findInstallation'>;

const SOON_MS = 1_000;

/**
 * The texts in the language of the person who clicked or typed a command. `body`: what Slack sent. Never throws. Takes
 * at most twice `withinMs`: store and Slack may be slow, and some listeners need it before they acknowledge.
 */
export async function textsFor(
  body: object,
  { people, findInstallation }: TextsPorts,
  withinMs = SOON_MS,
): Promise<Texts> {
  const found = installationOf(body, { findInstallation }).then(
    ({ workspace }) => workspace,
    () => '',
  );
  // We know nobody in an unknown workspace, so use the default language.
  const workspace = await withinTime(withinMs, found, () => '');
  return textsOf(await people.languageSoon(workspace, readUser(body), withinMs));
}

/** Of an interaction or a command. */
export function readUser(body: object): string {
  const { user, user_id } = body as { user?: { id?: unknown }; user_id?: unknown };
  return String(user?.id ?? user_id ?? '');
}
