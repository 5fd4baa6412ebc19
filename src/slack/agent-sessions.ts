import { LRUCache } from 'lru-cache';
import { toThreadKey } from '../conversation/question.ts';
import type { Turn } from '../conversation/turn.ts';
import { TransientError } from '../errors.ts';
import { textsOf } from '../languages/texts.ts';
import type { Log } from '../log.ts';
import { withinTime } from '../time-limit.ts';
import { type Namers, nameMentioned } from './quotes/name-people.ts';
import { toLine } from './views/content.ts';
import type { CallSlack, Importance } from './web/methods.ts';
import { isSlackError, SlackRateLimitedError, SlackRefusedError, toRepeatable } from './web/slack-errors.ts';

type Status = 'processing' | 'active';

/** Whether Slack accepted the status, as far as we know. */
type Outcome = 'taken' | 'refused' | 'unknown';

type Place = { workspace: string; channel: string; threadTs: string };

/** Slack's codes if the app is no agent, or the workspace does not have sessions yet. */
const NO_SESSIONS = ['not_agent_app', 'unknown_method', 'not_authorized', 'feature_not_enabled', 'method_deprecated'];

/** After this time we try again: an app can become an agent at any time. */
const NO_SESSIONS_TTL_MS = 3_600_000;

const MAX_WORKSPACES = 1_000;

/** The next question of the thread waits no longer than this for a status. */
const PATIENCE_MS = 3_000;

/** Longer than a call takes (10 s): until then Slack may still accept an earlier status after a later one. */
const LATE_MS = 15_000;

/** Slack accepts 200 characters; this is enough to recognise the question in a list. */
const TITLE_LENGTH = 80;

export type AgentSessions = ReturnType<typeof createAgentSessions>;

/**
 * The session of an agent app in a thread: `processing`, with a Stop button, while a question is worked on, else `active`.
 * Replies do not change it, and Slack ends `processing` only after an hour: https://docs.slack.dev/ai/agent-sessions
 */
export function createAgentSessions(ports: Namers & { call: CallSlack; log: Log }) {
  const { call, log } = ports;
  const withoutSessions = new LRUCache<string, true>({ max: MAX_WORKSPACES, ttl: NO_SESSIONS_TTL_MS });
  /** By thread: the call that began the status. */
  const begun = new Map<string, Promise<Outcome>>();
  /** The calls whose outcome is known: Slack accepted or refused the status. */
  const known = new WeakSet<Promise<Outcome>>();
  /** By turn: the fence of the run that ended the status with a stream. */
  const ended = new LRUCache<string, number>({ max: MAX_WORKSPACES, ttl: NO_SESSIONS_TTL_MS });

  async function setStatus(place: Place, status: Status, importance: Importance, turn?: Turn): Promise<void> {
    const { workspace, channel, threadTs } = place;
    const thread = { channel_id: channel, thread_ts: threadTs };
    const title = turn && toTitle(await nameMentioned(turn.question.text, turn.question, ports));
    if (!withoutSessions.has(workspace)) {
      try {
        await call('agents.sessions.setStatus', workspace, { ...thread, status, ...(title && { title }) }, importance);
        return;
      } catch (error) {
        if (!isSlackError(error, ...NO_SESSIONS)) throw error;
        log.info({ workspace, err: error }, 'the app has no agent sessions here: falling back to assistant.threads');
        withoutSessions.set(workspace, true);
      }
    }
    // For apps that are no agents.
    const line = status === 'processing' ? textsOf(turn?.language).notices.working : '';
    await call('assistant.threads.setStatus', workspace, { ...thread, status: line }, importance);
  }

  async function beginAt(place: Place, turn: Turn): Promise<Outcome> {
    try {
      await setStatus(place, 'processing', 'extra', turn);
      return 'taken';
    } catch (error) {
      log.debug({ turn: turn.id, err: error }, 'status not shown');
      const isNotTaken = error instanceof SlackRefusedError || error instanceof SlackRateLimitedError;
      return isNotTaken ? 'refused' : 'unknown';
    }
  }

  async function endAt(place: Place): Promise<void> {
    try {
      await setStatus(place, 'active', 'answer');
    } catch (error) {
      const failure = toRepeatable('setStatus', error);
      if (failure instanceof TransientError) throw failure;
      // The thread or the channel is gone, and its status with it.
      log.debug({ err: error }, 'status not cleared');
    }
  }

  async function endAfter(beginning: Promise<Outcome> | undefined, place: Place, turn: Turn): Promise<Outcome> {
    const outcome = (await beginning) ?? 'refused';
    const key = toKey(turn);
    // A later run may have set the status again.
    if (begun.get(key) === beginning) begun.delete(key);
    if (ended.get(turn.id) === turn.fence) return outcome;
    if (outcome !== 'refused' || turn.endsWork || isLeftOver(turn)) await endAt(place);
    return outcome;
  }

  return {
    /** Shows that the question is worked on. Best effort: never fails, and nobody waits for it. */
    begin(turn: Turn): void {
      const place = placeOf(turn);
      if (!place) return;
      const beginning = beginAt(place, turn);
      begun.set(toKey(turn), beginning);
      void beginning.then((outcome) => outcome !== 'unknown' && known.add(beginning));
    },
    /**
     * Ends the status if this run or an earlier one may have begun it. Waits for `begin`, so that Slack gets the two in
     * order. Throws a TransientError if it must be repeated: after a crash, for example, a call may still be on its way.
     */
    async end(turn: Turn): Promise<void> {
      const place = placeOf(turn);
      if (!place) return;
      const beginning = begun.get(toKey(turn));
      const ending = endAfter(beginning, place, turn);
      // If it fails after the wait, the next attempt handles it.
      ending.catch(() => undefined);
      const outcome = await withinTime(PATIENCE_MS, ending, () => 'late' as const);
      const isSettled = outcome === 'taken' || outcome === 'refused';
      if (!isSettled || (isLeftOver(turn) && !turn.endsWork)) throw inDoubt();
    },
    /**
     * Ends the status together with a streamed message. `stop` makes that one call, so that `end` has nothing left to do:
     * https://docs.slack.dev/reference/methods/chat.stopStream
     */
    async endWith(turn: Turn, stop: () => Promise<void>): Promise<void> {
      const beginning = begun.get(toKey(turn));
      // A status that is still on its way may reach Slack after the end of the stream.
      const isKnown = !beginning || known.has(beginning);
      await stop();
      if (isKnown && !withoutSessions.has(turn.question.workspace)) ended.set(turn.id, turn.fence);
    },
    /** Ends a status that a thread still shows although no question is running. Never fails. */
    clear: (place: Place): Promise<void> =>
      endAt(place).catch((error) => log.debug({ err: error }, 'status not cleared')),
  };
}

function inDoubt(): TransientError {
  return new TransientError('status_in_doubt', 'slack may still take an earlier status', { retryAfterMs: LATE_MS });
}

/** An earlier run may have begun the status and not ended it: it crashed, or Slack failed. */
function isLeftOver({ fence, idleAt = 0 }: Turn): boolean {
  return fence - 1 > idleAt;
}

/** The question of a command has no thread yet. */
function placeOf({ question: { workspace, channel, threadTs } }: Turn): Place | undefined {
  return threadTs ? { workspace, channel, threadTs } : undefined;
}

function toKey({ question: { asker, channel, threadTs = '' } }: Turn): string {
  return toThreadKey({ team: asker.team, channel, threadTs });
}

/**
 * Slack sets the title only when it creates the session, so a title that somebody gave stays. Slack turns colons into
 * underscores, so a look-alike replaces them.
 */
function toTitle(text: string): string {
  return toLine(text, TITLE_LENGTH).replaceAll(':', '\u2236');
}
