import { LRUCache } from 'lru-cache';
import { type Question, toThreadKey } from '../conversation/question.ts';
import type { Turn } from '../conversation/turn.ts';
import { TransientError } from '../errors.ts';
import { OutcomeUnknownError } from '../http/http-errors.ts';
import type { Log } from '../log.ts';
import { withinTime } from '../time-limit.ts';
import type { FindInstallation } from './installation.ts';
import { toLine } from './views/content.ts';
import type { CallSlack, Importance } from './web/methods.ts';
import { isSlackError, SlackRateLimitedError, SlackRefusedError, SlackUnavailableError } from './web/slack-errors.ts';

/**
 * The session that an agent app has in each thread: `processing`, with a Stop button, while a question is worked on, and
 * `active` otherwise. No reply of ours changes it, and Slack ends `processing` only after an hour:
 * https://docs.slack.dev/ai/agent-sessions
 */
export type AgentSessions = {
  /** Shows that the question is worked on. Not to be waited for, and never fails: it is done without where it must be. */
  begin(turn: Turn): void;
  /**
   * Ends that, where this run, or an earlier one, may have begun it. It follows `begin`, so that Slack cannot
   * take the two in the wrong order. Throws a TransientError where it has to be tried again.
   */
  end(turn: Turn): Promise<void>;
  /** Ends what a thread still shows, though nothing of it is worked on. Never fails. */
  clear(thread: { workspace: string; channel: string; threadTs: string }): Promise<void>;
};

type Status = 'processing' | 'active';

/** Whether Slack took it, as far as is known. */
type Outcome = 'taken' | 'refused' | 'unknown';

type Place = { workspace: string; channel: string; threadTs: string };

/** What Slack says where the app is no agent, or where its workspace does not have sessions yet. */
const NO_SESSIONS = ['not_agent_app', 'unknown_method', 'not_authorized', 'feature_not_enabled', 'method_deprecated'];

/** For so long that is believed: an app can be made an agent at any time. */
const NO_SESSIONS_TTL_MS = 3_600_000;

const MAX_WORKSPACES = 10_000;

/** The answer is there; what comes next in the thread waits no longer than this for a status. */
const PATIENCE_MS = 3_000;

/** A call ends after ten seconds. What Slack may take until then, it may take later than what followed. */
const LATE_MS = 15_000;

/** The text of the older method, for apps that are no agents. */
const WORKING = 'is looking that up…';

/** Of the 200 characters that Slack takes: enough to know the question again in a list. */
const TITLE_LENGTH = 80;

export function createAgentSessions(ports: {
  call: CallSlack;
  findInstallation: FindInstallation;
  log: Log;
}): AgentSessions {
  const { call, findInstallation, log } = ports;
  const withoutSessions = new LRUCache<string, true>({ max: MAX_WORKSPACES, ttl: NO_SESSIONS_TTL_MS });
  /** By thread: the call that began its work. */
  const begun = new Map<string, Promise<Outcome>>();

  async function setStatus(place: Place, status: Status, importance: Importance, title?: string): Promise<void> {
    const { workspace, channel, threadTs } = place;
    const { botToken } = await findInstallation(workspace);
    const thread = { channel_id: channel, thread_ts: threadTs };
    if (!withoutSessions.has(workspace)) {
      try {
        await call('agents.sessions.setStatus', botToken, { ...thread, status, ...(title && { title }) }, importance);
        return;
      } catch (error) {
        if (!isSlackError(error, ...NO_SESSIONS)) throw error;
        log.info({ workspace, err: error }, 'the app has no agent sessions here: falling back to assistant.threads');
        withoutSessions.set(workspace, true);
      }
    }
    const line = status === 'processing' ? WORKING : '';
    await call('assistant.threads.setStatus', botToken, { ...thread, status: line }, importance);
  }

  async function beginAt(place: Place, turn: Turn): Promise<Outcome> {
    try {
      await setStatus(place, 'processing', 'extra', toTitle(turn.question));
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
      if (error instanceof OutcomeUnknownError) throw new SlackUnavailableError('setStatus', { cause: error });
      if (error instanceof TransientError) throw error;
      // The thread or the channel is gone, and with it what it showed.
      log.debug({ err: error }, 'status not cleared');
    }
  }

  async function endAfter(beginning: Promise<Outcome> | undefined, place: Place, turn: Turn): Promise<Outcome> {
    const outcome = (await beginning) ?? 'refused';
    const key = toKey(turn);
    // A later run may have begun anew.
    if (begun.get(key) === beginning) begun.delete(key);
    if (outcome !== 'refused' || turn.endsWork || isLeftOver(turn)) await endAt(place);
    return outcome;
  }

  return {
    begin(turn) {
      const place = placeOf(turn);
      if (place) begun.set(toKey(turn), beginAt(place, turn));
    },
    async end(turn) {
      const place = placeOf(turn);
      if (!place) return;
      const beginning = begun.get(toKey(turn));
      const ending = endAfter(beginning, place, turn);
      // Where it comes too late to be waited for, whoever tries again will hear of it.
      ending.catch(() => undefined);
      const outcome = await withinTime(PATIENCE_MS, ending, () => 'late' as const);
      if (outcome === 'late' || outcome === 'unknown') throw inDoubt();
    },
    clear: (place) => endAt(place).catch((error) => log.debug({ err: error }, 'status not cleared')),
  };
}

function inDoubt(): TransientError {
  return new TransientError('status_in_doubt', 'slack may still take an earlier status', { retryAfterMs: LATE_MS });
}

/** An earlier run may have begun, and none has ended it since: it died, or Slack kept it from getting that far. */
function isLeftOver({ fence, idleAt = 0 }: Turn): boolean {
  return fence - 1 > idleAt;
}

/** A command's question has no thread yet. */
function placeOf({ question: { workspace, channel, threadTs } }: Turn): Place | undefined {
  return threadTs ? { workspace, channel, threadTs } : undefined;
}

function toKey({ question: { asker, channel, threadTs = '' } }: Turn): string {
  return toThreadKey({ team: asker.team, channel, threadTs });
}

/** Slack makes an underscore of every colon, so that a character that looks the same takes its place. */
function toTitle({ text }: Question): string {
  return toLine(text, TITLE_LENGTH).replaceAll(':', '\u2236');
}
