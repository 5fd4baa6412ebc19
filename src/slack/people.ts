import { LRUCache } from 'lru-cache';
import { IANAZone } from 'luxon';
import { isObject, type JsonObject, toObject } from '../json.ts';
import type { Texts } from '../languages/english.ts';
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
  /** Undefined if it is not one of the app's languages. */
  language?: Language;
  /** The display name; for pages and messages only, never for logs. */
  name: string;
  /** Unique in the workspace, unlike `name`, which anybody can change to somebody else's. */
  handle: string;
  /** The person's team; undefined if Slack names none. */
  homeTeam?: string;
};

type ProfileOptions = { isFresh?: boolean; importance?: Importance };

type ProfileRequest = { workspace: string; user: string; importance: Importance | undefined };

/** Limits how long we miss that a guest became a member or somebody left. Usually user_change tells us sooner. */
const MEMBER_TTL_MS = 10 * 60_000;

/** Slack waits three seconds for a listener. */
const SOON_MS = 1_000;

/** `maxSize`, because `max` would allocate all entries at the start, and few companies are that large. */
const PEOPLE = { maxSize: 20_000, sizeCalculation: () => 1 };

const GUEST_FLAGS = ['is_restricted', 'is_ultra_restricted', 'is_stranger'];

export type People = ReturnType<typeof createPeople>;

/** `defaultLanguage`: for people whose language is unknown, or not one of ours. */
export function createPeople(call: CallSlack, findInstallation: FindInstallation, defaultLanguage: Language = 'en') {
  const profiles = new LRUCache<string, Profile, ProfileRequest>({
    ...PEOPLE,
    ttl: MEMBER_TTL_MS,
    // The time zone and the language of an old profile are better hints than none, and nobody has to wait for them.
    noDeleteOnStaleGet: true,
    noDeleteOnFetchRejection: true,
    ignoreFetchAbort: true,
    fetchMethod: (_key, _known, { context }) => read(context),
  });

  async function read({ workspace, user, importance }: ProfileRequest): Promise<Profile> {
    const { team, workspace: home } = await findInstallation(workspace);
    try {
      const answer = await call('users.info', workspace, { user, include_locale: true }, importance);
      return toProfile(answer.user, home, team);
    } catch (error) {
      throw toUnavailable('users.info', error);
    }
  }

  /** Throws a TransientError if Slack cannot be asked. `isFresh`: skips the cache. */
  async function profile(workspace: string, user: string, options: ProfileOptions = {}): Promise<Profile> {
    const key = `${workspace}:${user}`;
    if (options.isFresh) outdate(key);
    const context = { workspace, user, importance: options.importance };
    return profiles.get(key) ?? profiles.forceFetch(key, { context });
  }

  async function hintsOf(workspace: string, user: string): Promise<Pick<Profile, 'timeZone' | 'language'>> {
    const context = { workspace, user, importance: undefined };
    return (await profiles.fetch(`${workspace}:${user}`, { allowStale: true, context }).catch(() => undefined)) ?? {};
  }

  /** Slack is asked again, and an answer under way is not stored. What is known stays as a hint, as if stored long ago. */
  function outdate(key: string): void {
    const known = profiles.get(key, { allowStale: true });
    if (known) profiles.set(key, known, { start: 1, ttl: 1 });
    else profiles.delete(key);
  }

  /** The IANA time zone of the profile, checked; else undefined. Never throws. */
  async function timeZone(workspace: string, user: string): Promise<string | undefined> {
    return (await hintsOf(workspace, user)).timeZone;
  }

  /** The language of our messages to this person. Never throws. */
  async function language(workspace: string, user: string): Promise<Language> {
    return (await hintsOf(workspace, user)).language ?? defaultLanguage;
  }

  return {
    profile,
    /** The profile, if it is cached. */
    known: (workspace: string, user: string): Profile | undefined => profiles.get(`${workspace}:${user}`),
    timeZone,
    /** As `timeZone`, but undefined after a second: for listeners, because Slack waits only three seconds. */
    timeZoneSoon: (workspace: string, user: string): Promise<string | undefined> =>
      withinTime(SOON_MS, timeZone(workspace, user), () => undefined),
    language,
    /** As `language`, but the default language after `withinMs`: for listeners. */
    languageSoon: (workspace: string, user: string, withinMs = SOON_MS): Promise<Language> =>
      withinTime(withinMs, language(workspace, user), () => defaultLanguage),
    /** Forgets a person, and ignores a read under way, which may be outdated. */
    forget: (workspace: string, user: string) => void profiles.delete(`${workspace}:${user}`),
  };
}

/** Bots and deactivated people are not guests: they read nothing. Strangers and other organisations count as guests. */
export function isGuest(user: unknown, { workspace, team }: Pick<Installation, 'workspace' | 'team'>): boolean {
  const fields = toObject(user);
  if (fields.deleted === true || fields.is_bot === true) return false;
  return GUEST_FLAGS.some((flag) => fields[flag] === true) || !isOfOrganisation(fields, workspace, team);
}

function toProfile(user: unknown, workspace: string, team: string): Profile {
  const fields = toObject(user);
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

/**
 * How a person is named where they have to recognise themselves, such as `Ana Alvarez (@ana) in Acme`. The handle is
 * unique in the workspace. Throws a TransientError if Slack cannot be asked for the person.
 */
export type DescribePerson = (person: { user: string }, workspace: string, texts: Texts) => Promise<string>;

const WORKSPACE_NAME_TTL_MS = 3_600_000;

const MAX_WORKSPACES = 1_000;

export function createDescribePerson({ people, call }: { people: People; call: CallSlack }): DescribePerson {
  const names = new LRUCache<string, string>({ max: MAX_WORKSPACES, ttl: WORKSPACE_NAME_TTL_MS });

  /** Undefined if Slack cannot be asked: the person's own name matters more. */
  async function nameWorkspace(workspace: string): Promise<string | undefined> {
    const known = names.get(workspace);
    if (known !== undefined) return known;
    try {
      // Not team.info: that needs a scope of its own.
      const { team } = await call('auth.test', workspace, {});
      if (team) names.set(workspace, team);
      return team;
    } catch {
      return undefined;
    }
  }

  return async ({ user }, workspace, { pages }) => {
    const [{ name, handle }, where] = await Promise.all([people.profile(workspace, user), nameWorkspace(workspace)]);
    const person = `${name} (@${handle})`;
    return where ? pages.personIn(person, where) : person;
  };
}
