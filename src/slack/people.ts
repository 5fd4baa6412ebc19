import { LRUCache } from 'lru-cache';
import { IANAZone } from 'luxon';
import { isObject, type JsonObject } from '../json.ts';
import { type Language, toLanguage } from '../languages/language.ts';
import { withinTime } from '../time-limit.ts';
import type { FindInstallation, Installation } from './installation.ts';
import type { CallSlack, Importance } from './web/methods.ts';
import { toUnavailable } from './web/slack-errors.ts';

/** What we need to know of a person in Slack. */
type Profile = {
  /** Of the same organisation as the app, not a guest, not a bot, not deactivated. */
  isMember: boolean;
  isWorkspaceAdmin: boolean;
  /** Deactivated in Slack. */
  hasLeft: boolean;
  timeZone?: string;
  /** Undefined: a language that the app does not have. */
  language?: Language;
  /** The display name; for pages and messages only, never for logs. */
  name: string;
  /** Unique in the workspace, unlike `name`, which anybody can change to somebody else's. */
  handle: string;
  /** The person's team; undefined if Slack names none. */
  homeTeam?: string;
};

type Hints = Pick<Profile, 'timeZone' | 'language'>;

type ProfileOptions = { isFresh?: boolean; importance?: Importance };

type Asked = { workspace: string; user: string; importance: Importance | undefined };

export type People = {
  /** Throws a TransientError if Slack cannot be asked. `isFresh`: skips the cache. */
  profile(workspace: string, user: string, options?: ProfileOptions): Promise<Profile>;
  /** The profile, if it is cached. */
  known(workspace: string, user: string): Profile | undefined;
  /** The IANA time zone of the profile, checked; else undefined. Never throws. */
  timeZone(workspace: string, user: string): Promise<string | undefined>;
  /** The same, but undefined after a second: for listeners, because Slack waits only three seconds. */
  timeZoneSoon(workspace: string, user: string): Promise<string | undefined>;
  /** The language of our messages to this person. Never throws. */
  language(workspace: string, user: string): Promise<Language>;
  /** The same within a second, or so many ms, for listeners. */
  languageSoon(workspace: string, user: string, withinMs?: number): Promise<Language>;
  /** Forgets a person, and ignores a read under way, which may be outdated. */
  forget(workspace: string, user: string): void;
};

/** Limits how long we miss that a guest became a member or somebody left. Usually user_change tells us sooner. */
const MEMBER_TTL_MS = 10 * 60_000;

/** A time zone and a language from half a day ago are better hints than none. */
const HINTS_TTL_MS = 12 * 3_600_000;

/** Slack waits three seconds for a listener. */
const SOON_MS = 1_000;

/** By size rather than by `max`, which has all of it allocated at each start: few companies are that large. */
const PEOPLE = { maxSize: 20_000, sizeCalculation: () => 1 };

const GUEST_FLAGS = ['is_restricted', 'is_ultra_restricted', 'is_stranger'];

/** `defaultLanguage`: for people whose language is unknown, or not one of ours. */
export function createPeople(
  call: CallSlack,
  findInstallation: FindInstallation,
  defaultLanguage: Language = 'en',
): People {
  const profiles = new LRUCache<string, Profile, Asked>({
    ...PEOPLE,
    ttl: MEMBER_TTL_MS,
    ignoreFetchAbort: true,
    async fetchMethod(key, _known, { context, signal }) {
      const profile = await read(context);
      // A later read has begun, or the person was changed meanwhile.
      if (signal.aborted) return profile;
      hints.set(key, profile);
      return profile;
    },
  });
  const hints = new LRUCache<string, Hints>({ ...PEOPLE, ttl: HINTS_TTL_MS });

  async function read({ workspace, user, importance }: Asked): Promise<Profile> {
    const { botToken, team, workspace: home } = await findInstallation(workspace);
    try {
      const answer = await call('users.info', botToken, { user, include_locale: true }, importance);
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

  async function hintsOf(workspace: string, user: string): Promise<Hints> {
    return hints.get(`${workspace}:${user}`) ?? profile(workspace, user).catch(() => ({}));
  }

  const timeZone: People['timeZone'] = async (workspace, user) => (await hintsOf(workspace, user)).timeZone;

  const language: People['language'] = async (workspace, user) =>
    (await hintsOf(workspace, user)).language ?? defaultLanguage;

  return {
    profile,
    known: (workspace, user) => profiles.get(`${workspace}:${user}`),
    timeZone,
    timeZoneSoon: (workspace, user) => withinTime(SOON_MS, timeZone(workspace, user), () => undefined),
    language,
    languageSoon: (workspace, user, withinMs = SOON_MS) =>
      withinTime(withinMs, language(workspace, user), () => defaultLanguage),
    forget(workspace, user) {
      const key = `${workspace}:${user}`;
      profiles.delete(key);
      hints.delete(key);
    },
  };
}

/** Bots and deactivated people are not guests: they read nothing. Strangers and other organisations count as guests. */
export function isGuest(user: unknown, { workspace, team }: Pick<Installation, 'workspace' | 'team'>): boolean {
  const fields = isObject(user) ? user : {};
  if (fields.deleted === true || fields.is_bot === true) return false;
  return GUEST_FLAGS.some((flag) => fields[flag] === true) || !isOfOrganisation(fields, workspace, team);
}

function toProfile(user: unknown, workspace: string, team: string): Profile {
  const fields = isObject(user) ? user : {};
  const isOutside = ['deleted', 'is_bot', ...GUEST_FLAGS].some((flag) => fields[flag] === true);
  const timeZone = typeof fields.tz === 'string' && IANAZone.create(fields.tz).isValid ? fields.tz : undefined;
  const language = toLanguage(fields.locale);
  const name = [fields.real_name, fields.name, fields.id].find((value) => typeof value === 'string' && value !== '');
  return {
    isMember: !isOutside && isOfOrganisation(fields, workspace, team),
    hasLeft: fields.deleted === true,
    isWorkspaceAdmin: isAdmin(isOrganisation(workspace) ? fields.enterprise_user : fields),
    name: String(name ?? 'somebody'),
    handle: String(fields.name ?? fields.id ?? ''),
    ...(timeZone && { timeZone }),
    ...(language && { language }),
    ...(typeof fields.team_id === 'string' && !isOrganisation(fields.team_id) && { homeTeam: fields.team_id }),
  };
}

/** If the app is installed for a whole organisation, an admin of one workspace is not an admin of the others. */
function isAdmin(flags: unknown): boolean {
  return isObject(flags) && (flags.is_admin === true || flags.is_owner === true);
}

function isOrganisation(workspace: string): boolean {
  return workspace.startsWith('E');
}

/** `is_stranger` is false for outsiders who share a channel with us, so the team ids decide. */
function isOfOrganisation(fields: JsonObject, workspace: string, team: string): boolean {
  if (fields.team_id === workspace) return true;
  return isObject(fields.enterprise_user) && fields.enterprise_user.enterprise_id === team;
}
