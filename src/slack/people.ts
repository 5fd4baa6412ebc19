import { LRUCache } from 'lru-cache';
import { IANAZone } from 'luxon';
import { withinTime } from '../time-limit.ts';
import type { FindInstallation } from './installation.ts';
import type { CallSlack, Importance } from './web/methods.ts';
import { toUnavailable } from './web/slack-errors.ts';

/** What we need to know of a person in Slack. */
type Profile = {
  /** Of the same organisation as the app, not a guest, not a bot, not deactivated. */
  isMember: boolean;
  isWorkspaceAdmin: boolean;
  timeZone?: string;
  /** The display name; for pages and messages only, never for logs. */
  name: string;
  /** Unique in the workspace, unlike `name`, which anybody can change to somebody else's. */
  handle: string;
  /** The person's team; undefined if Slack names none. */
  homeTeam?: string;
};

type ProfileOptions = { isFresh?: boolean; importance?: Importance };

type Asked = { workspace: string; user: string; importance: Importance | undefined };

export type People = {
  /** Throws a TransientError if Slack cannot be asked. `isFresh`: skips the cache. */
  profile(workspace: string, user: string, options?: ProfileOptions): Promise<Profile>;
  /** The IANA time zone of the profile, checked; else undefined. Never throws. */
  timeZone(workspace: string, user: string): Promise<string | undefined>;
  /** The same within a second, else undefined: for listeners, which Slack waits three seconds for. */
  timeZoneSoon(workspace: string, user: string): Promise<string | undefined>;
  /** Forgets a person, and ignores a read under way, which may be outdated. */
  forget(workspace: string, user: string): void;
};

/** For when guests become members and members leave. The event user_change usually tells us sooner. */
const MEMBER_TTL_MS = 10 * 60_000;

/** A time zone from half a day ago is a better hint than none. */
const TIME_ZONE_TTL_MS = 12 * 3_600_000;

const MAX_PEOPLE = 20_000;

export function createPeople(call: CallSlack, findInstallation: FindInstallation): People {
  const profiles = new LRUCache<string, Profile, Asked>({
    max: MAX_PEOPLE,
    ttl: MEMBER_TTL_MS,
    ignoreFetchAbort: true,
    async fetchMethod(key, _known, { context, signal }) {
      const profile = await read(context);
      // A later read has begun, or the person was changed meanwhile.
      if (signal.aborted) return profile;
      if (profile.timeZone) timeZones.set(key, profile.timeZone);
      else timeZones.delete(key);
      return profile;
    },
  });
  const timeZones = new LRUCache<string, string>({ max: MAX_PEOPLE, ttl: TIME_ZONE_TTL_MS });

  async function read({ workspace, user, importance }: Asked): Promise<Profile> {
    const { botToken, team, workspace: home } = await findInstallation(workspace);
    try {
      const answer = await call('users.info', botToken, { user }, importance);
      return toProfile(answer.user, home, team);
    } catch (error) {
      throw toUnavailable('users.info', error);
    }
  }

  async function profile(workspace: string, user: string, options: ProfileOptions = {}): Promise<Profile> {
    const key = `${workspace}:${user}`;
    if (options.isFresh) profiles.delete(key);
    const context = { workspace, user, importance: options.importance };
    return profiles.get(key) ?? profiles.forceFetch(key, { context });
  }

  async function timeZone(workspace: string, user: string): Promise<string | undefined> {
    const key = `${workspace}:${user}`;
    if (timeZones.has(key)) return timeZones.get(key);
    return profile(workspace, user).then(
      (known) => known.timeZone,
      () => undefined,
    );
  }

  return {
    profile,
    timeZone,
    timeZoneSoon: (workspace, user) => withinTime(1_000, timeZone(workspace, user), () => undefined),
    forget(workspace, user) {
      const key = `${workspace}:${user}`;
      profiles.delete(key);
      timeZones.delete(key);
    },
  };
}

function toProfile(user: unknown, workspace: string, team: string): Profile {
  const fields = isRecord(user) ? user : {};
  const isOutside = ['deleted', 'is_bot', 'is_restricted', 'is_ultra_restricted', 'is_stranger'].some(
    (flag) => fields[flag] === true,
  );
  const timeZone = typeof fields.tz === 'string' && IANAZone.isValidZone(fields.tz) ? fields.tz : undefined;
  const name = [fields.real_name, fields.name, fields.id].find((value) => typeof value === 'string' && value !== '');
  return {
    isMember: !isOutside && isOfOrganisation(fields, workspace, team),
    isWorkspaceAdmin: isAdmin(isOrganisation(workspace) ? fields.enterprise_user : fields),
    name: String(name ?? 'somebody'),
    handle: String(fields.name ?? fields.id ?? ''),
    ...(timeZone && { timeZone }),
    ...(typeof fields.team_id === 'string' && !isOrganisation(fields.team_id) && { homeTeam: fields.team_id }),
  };
}

/** If the app is installed for a whole organisation, an admin of one workspace is not an admin of the others. */
function isAdmin(flags: unknown): boolean {
  return isRecord(flags) && (flags.is_admin === true || flags.is_owner === true);
}

function isOrganisation(workspace: string): boolean {
  return workspace.startsWith('E');
}

/** `is_stranger` is false for outsiders who share a channel with us, so the team ids decide. */
function isOfOrganisation(fields: Record<string, unknown>, workspace: string, team: string): boolean {
  if (fields.team_id === workspace) return true;
  return isRecord(fields.enterprise_user) && fields.enterprise_user.enterprise_id === team;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
