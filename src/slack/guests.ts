import { LRUCache } from 'lru-cache';
import type { Log } from '../log.ts';
import type { FindInstallation } from './installation.ts';
import { isGuest } from './people.ts';
import { type ListPosition, readPage } from './read-pages.ts';
import { MAX_PEOPLE_PAGE } from './web/limits.ts';
import type { CallSlack } from './web/methods.ts';
import { isSlackError, patiently, toCallCode } from './web/slack-errors.ts';

/** `isGuest`: undefined if Slack has to be asked. */
type Known = { isGuest: boolean | undefined; at: number };

type Workspace = {
  people: Map<string, Known>;
  findings: object;
  /** The requests under way, by person. */
  asking: Map<string, Promise<void>>;
  /** When the workspace was listed last (epoch ms). Undefined: no channel has needed a list yet. */
  listedAt?: number;
  listing?: Promise<void> | undefined;
};

/** One users.info call each. For more people, users.list needs fewer calls. */
const MAX_ASKED_ALONE = 30;

const ASKED_AT_ONCE = 5;

/** People of other workspaces are in no list. They are asked for one by one, at most this many for each `learn`. */
const MAX_LEFT = 300;

/** The event user_change tells us of changes. This is for events that got lost. */
const LIST_AGAIN_MS = 3_600_000;

/** Longer than LIST_AGAIN_MS: nobody has to wait while the list is read again. */
const KNOWN_MS = 2 * LIST_AGAIN_MS;

/** After a list, those who are still unknown are new, or of other organisations: listing again does not help. */
const LIST_PAUSE_MS = 5 * 60_000;

/** With at most a thousand people each. In larger workspaces the others are asked for one by one. */
const MAX_PAGES = 300;

const MAX_WORKSPACES = 1_000;

/** Enough for Slack's limits, which may refuse each page of a long list for a while. */
const PATIENCE = { attempts: 30, leastMs: 1_000, longestMs: Number.POSITIVE_INFINITY, canBeLeft: true };

type Ports = { call: CallSlack; findInstallation: FindInstallation; now(): number; log: Log };

/** Which people in a workspace are guests, or belong to another organisation. */
export function createGuests({ call, findInstallation, now, log }: Ports) {
  const workspaces = new LRUCache<string, Workspace>({ max: MAX_WORKSPACES });

  function open(workspace: string): Workspace {
    const known = workspaces.get(workspace) ?? { people: new Map(), findings: {}, asking: new Map() };
    workspaces.set(workspace, known);
    return known;
  }

  /** Undefined if unknown or outdated. */
  function read(workspace: string, user: string): boolean | undefined {
    const known = workspaces.get(workspace)?.people.get(user);
    return known && now() - known.at < KNOWN_MS ? known.isGuest : undefined;
  }

  /** Questions that arrive together ask for the same people. */
  function askAlone(workspace: string, user: string): Promise<void> {
    const { asking } = open(workspace);
    const asked = asking.get(user) ?? ask(workspace, user).finally(() => asking.delete(user));
    asking.set(user, asked);
    return asked;
  }

  async function ask(workspace: string, user: string): Promise<void> {
    const installation = await findInstallation(workspace);
    const askedAt = now();
    const answer = await patiently(() => call('users.info', workspace, { user }, 'notice'), PATIENCE).catch(orHidden);
    note(open(workspace), user, { isGuest: isGuest(answer.user, installation), at: askedAt });
  }

  /** If a list is being read already, waits for that one. */
  function list(workspace: string, teams: string[]): Promise<void> {
    const known = open(workspace);
    known.listing ??= listAll(workspace, known, teams).finally(() => {
      known.listing = undefined;
    });
    return known.listing;
  }

  async function listAll(workspace: string, known: Workspace, teams: string[]): Promise<void> {
    // A workspace's token lists that workspace. With an organisation's token, users.list has to name the team.
    const named = workspace.startsWith('E') ? teams : [undefined];
    for (const team of named) await listTeam(workspace, known, team);
    known.listedAt = now();
  }

  async function listTeam(workspace: string, known: Workspace, team: string | undefined): Promise<void> {
    const installation = await findInstallation(workspace);
    const position: ListPosition = { limit: MAX_PEOPLE_PAGE, pages: 0 };
    do {
      const askedAt = now();
      const answer = await readPage(position, (page) => {
        const args = { ...page, ...(team && { team_id: team }) };
        return patiently(() => call('users.list', workspace, args, 'notice'), PATIENCE);
      });
      for (const user of answer.members ?? []) {
        note(known, user.id ?? '', { isGuest: isGuest(user, installation), at: askedAt });
      }
    } while (position.cursor && position.pages < MAX_PAGES);
  }

  /** A question does not wait until a long list is complete: see WAIT_MS in channel-audience.ts. */
  function isListUseful({ listedAt }: Workspace, unknown: string[]): boolean {
    return unknown.length > MAX_ASKED_ALONE && (listedAt === undefined || now() - listedAt > LIST_PAUSE_MS);
  }

  function refresh(workspace: string, teams: string[]): void {
    const { listedAt, listing } = open(workspace);
    if (listing || listedAt === undefined || now() - listedAt < LIST_AGAIN_MS) return;
    list(workspace, teams).catch((error: unknown) => {
      log.warn({ code: toCallCode(error) }, 'people of a workspace not listed');
    });
  }

  return {
    isGuest: read,
    /** Returns a new object whenever we learn that somebody became a guest or a member. */
    findings: (workspace: string): object => open(workspace).findings,
    /**
     * Asks Slack about the people in `users` who are not known. A few are asked for one by one; for more, everybody in
     * `teams` is listed: a call per thousand people. Throws what CallSlack throws. Some may stay unknown.
     */
    async learn(workspace: string, users: string[], teams: string[]): Promise<void> {
      const isUnknown = (user: string) => read(workspace, user) === undefined;
      refresh(workspace, teams);
      const unknown = users.filter(isUnknown);
      if (isListUseful(open(workspace), unknown)) await list(workspace, teams);
      const left = unknown.filter(isUnknown).slice(0, MAX_LEFT);
      while (left.length > 0) {
        await Promise.all(left.splice(0, ASKED_AT_ONCE).map((user) => askAlone(workspace, user)));
      }
    },
    /**
     * Slack told us about a person. It may send an older event again after a newer one, so nobody becomes a member before
     * we have asked.
     */
    changed(workspace: string, user: string, guest: boolean): void {
      const known = workspaces.get(workspace);
      if (!known || (!guest && !known.people.get(user)?.isGuest)) return;
      // Whatever the clock says, which may have been set back.
      write(known, user, { isGuest: guest || undefined, at: now() });
    },
    /** Forgets everything. */
    forget: () => workspaces.clear(),
  };
}

/** An event that came while Slack was asked is newer than the answer. */
function note(workspace: Workspace, user: string, found: Known): void {
  const known = workspace.people.get(user);
  if (known === undefined || known.at <= found.at) write(workspace, user, found);
}

function write(workspace: Workspace, user: string, found: Known): void {
  const wasGuest = workspace.people.get(user)?.isGuest ?? false;
  workspace.people.set(user, found);
  if (found.isGuest !== wasGuest) workspace.findings = {};
}

/** Slack only shows members of our own workspace. An empty profile stands for a person of another one. */
function orHidden(error: unknown): { user?: undefined } {
  if (!isSlackError(error, 'user_not_found', 'user_not_visible')) throw error;
  return {};
}
