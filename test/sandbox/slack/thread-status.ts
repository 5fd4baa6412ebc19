/**
 * The line under a thread while the app works. Both status APIs write the same line; the text one is cleared by a
 * reply of the app and after two minutes, the session one only by the app or after an hour.
 * https://docs.slack.dev/reference/methods/assistant.threads.setStatus
 */
import type { Signal } from './signal.ts';

type ThreadStatus = {
  text: string;
  loadingMessages: string[];
  from: 'assistant' | 'session';
  /** Epoch ms. */
  until: number;
};

export type ThreadStatuses = {
  set(channel: string, threadTs: string, status: Omit<ThreadStatus, 'until'>): void;
  read(channel: string, threadTs: string): ThreadStatus | undefined;
  /** The app replied in the thread. */
  replied(channel: string, threadTs: string): void;
  /** Every status that was ever set, in order; an empty text is a clearing. */
  readonly history: { channel: string; threadTs: string; text: string }[];
};

const TEXT_LIFE_MS = 120_000;
const SESSION_LIFE_MS = 3_600_000;
const HISTORY_LENGTH = 10_000;

export function createThreadStatuses(changed: Signal): ThreadStatuses {
  const current = new Map<string, ThreadStatus>();
  const history: { channel: string; threadTs: string; text: string }[] = [];
  return {
    history,
    set(channel, threadTs, status) {
      const key = `${channel} ${threadTs}`;
      if (history.length < HISTORY_LENGTH) history.push({ channel, threadTs, text: status.text });
      if (status.text === '') current.delete(key);
      else
        current.set(key, {
          ...status,
          until: Date.now() + (status.from === 'assistant' ? TEXT_LIFE_MS : SESSION_LIFE_MS),
        });
      changed.notify();
    },
    read(channel, threadTs) {
      const status = current.get(`${channel} ${threadTs}`);
      return status && status.until > Date.now() ? status : undefined;
    },
    replied(channel, threadTs) {
      const key = `${channel} ${threadTs}`;
      if (current.get(key)?.from === 'assistant') current.delete(key);
    },
  };
}
