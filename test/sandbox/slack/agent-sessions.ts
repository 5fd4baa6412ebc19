/**
 * What a thread shows of the app's work. An agent app has a session in each thread; both status methods write its
 * status, no reply of the app changes it, and `processing` ends after an hour by itself:
 * https://docs.slack.dev/ai/agent-sessions. An app that is no agent has a line of text instead, which a reply of the
 * app or two minutes clear: https://docs.slack.dev/reference/methods/assistant.threads.setStatus.
 */
import type { Signal } from './signal.ts';

type SessionStatus = 'active' | 'processing' | 'suspended' | 'closed';

type AgentSession = { status: SessionStatus; title: string };

type Place = { channel: string; threadTs: string };

/** A status that was set. `shown`: what people read under the thread; empty where it is nothing. `at`: epoch ms. */
type StatusChange = Place & { shown: string; at: number };

const LINE_LIFE_MS = 120_000;
const PROCESSING_LIFE_MS = 3_600_000;
const HISTORY_LENGTH = 10_000;

/** Slack shows words of its own, whatever text the older method is given. */
const WORKING = 'is working…';

export function createAgentSessions(changed: Signal) {
  const sessions = new Map<string, AgentSession & { until: number }>();
  const lines = new Map<string, { text: string; until: number }>();
  const history: StatusChange[] = [];

  function note(place: Place, shown: string): void {
    if (history.length < HISTORY_LENGTH) history.push({ ...place, shown, at: Date.now() });
    changed.notify();
  }

  function session(place: Place): AgentSession | undefined {
    const known = sessions.get(toKey(place));
    if (!known) return undefined;
    const isOver = known.status === 'processing' && known.until <= Date.now();
    return { status: isOver ? 'active' : known.status, title: known.title };
  }

  /** What people read under the thread, if anything. */
  function shown(place: Place): string | undefined {
    if (session(place)?.status === 'processing') return WORKING;
    const line = lines.get(toKey(place));
    return line && line.until > Date.now() ? line.text : undefined;
  }

  return {
    /** Every status that was ever set, in order. */
    history,
    session,
    shown,
    /** Makes a session where there is none; only then its title counts. */
    set(place: Place, status: SessionStatus, title = ''): void {
      const known = sessions.get(toKey(place));
      const name = known ? known.title : title.replaceAll(':', '_');
      sessions.set(toKey(place), { status, title: name, until: Date.now() + PROCESSING_LIFE_MS });
      note(place, status === 'processing' ? WORKING : '');
    },
    rename(place: Place, title: string): void {
      const known = sessions.get(toKey(place));
      if (known) known.title = title;
    },
    /** The line of an app that is no agent. */
    setLine(place: Place, text: string): void {
      if (text === '') lines.delete(toKey(place));
      else lines.set(toKey(place), { text, until: Date.now() + LINE_LIFE_MS });
      note(place, text);
    },
    /** The app replied in the thread. */
    replied: (place: Place) => void lines.delete(toKey(place)),
    /** All threads that look busy: `channel thread`, and how they came to. */
    busy: () =>
      [...new Set([...sessions.keys(), ...lines.keys()])]
        .filter((key) => shown(toPlace(key)) !== undefined)
        .map((key) => `${key}: ${toCourse(history.filter((change) => toKey(change) === key))}`),
  };
}

function toKey({ channel, threadTs }: Place): string {
  return `${channel} ${threadTs}`;
}

function toPlace(key: string): Place {
  const [channel = '', threadTs = ''] = key.split(' ');
  return { channel, threadTs };
}

function toCourse(changes: StatusChange[]): string {
  return changes
    .map(({ shown, at, threadTs }) => `${shown || 'idle'} +${Math.round(at - Number(threadTs) * 1000)} ms`)
    .join(', ');
}
