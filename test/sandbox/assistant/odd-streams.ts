// Oddities of the stream: each builds the steps of one odd stream from a processed turn.
import type { ConversationBody, Turn } from './conversation.ts';
import { buildStreamEvents, buildStreamScript, encode, type StreamScript, toScript } from './stream-script.ts';

export type StreamTiming = { readonly stepMs: number; readonly silenceMs: number };

type Odd = (turn: Turn, timing: StreamTiming) => StreamScript;

const opening = (turn: Turn) => {
  const { beats, snapshots } = buildStreamEvents(turn);
  return [...beats, ...snapshots];
};

const whole = (turn: Turn) => [...opening(turn), buildStreamEvents(turn).final];

const ERROR_EVENT = { error: { code: 'generalException', message: 'The answer could not be completed.' } };

export const leaveOpen: Odd = (turn, timing) => toScript(opening(turn), timing);

export const endWithError: Odd = (turn, timing) => toScript([...opening(turn).slice(0, 4), ERROR_EVENT], timing);

export const leaveUnmarked: Odd = (turn, timing) => {
  const unmarked = whole(turn).map((event) => ({ ...event, displayName: 'Chat' }));
  return toScript(unmarked, timing);
};

export const endLinesWithCrlf: Odd = (turn, timing) => toScript(whole(turn), { ...timing, newline: '\r\n' });

export const useOldContentType: Odd = (turn, { stepMs }) => ({
  ...buildStreamScript(turn, stepMs),
  contentType: 'event/stream',
});

export const cutOff: Odd = (turn, timing) => ({ ...toScript(opening(turn).slice(0, 6), timing), end: 'cut' });

/** Half-way the service changes its mind about how the answer begins. */
export const rewritePrefix: Odd = (turn, timing) => {
  const { beats, snapshots, final } = buildStreamEvents(turn);
  const early = snapshots.slice(0, Math.ceil(snapshots.length / 2));
  const drafts = early.map((body) => withText(body, (text) => `Let me think. ${text}`));
  return toScript([...beats, ...drafts, ...snapshots.slice(early.length), final], timing);
};

/** Seen live: the cards of the final event are pretty-printed, so the JSON runs over lines without `data:`. */
export const keepRawNewlines: Odd = (turn, timing) => {
  const events = opening(turn);
  const { final } = buildStreamEvents(turn);
  const script = toScript(events, timing);
  const last = encode(final, events.length, '\n', JSON.stringify(final, null, 2));
  return { ...script, steps: [...script.steps, { text: last, waitMs: timing.stepMs }] };
};

export const dropBlankLines: Odd = (turn, timing) => {
  const script = toScript(whole(turn), timing);
  return { ...script, steps: script.steps.map((step) => ({ ...step, text: step.text.replace(/\n\n$/, '\n') })) };
};

export const fallSilent: Odd = (turn, timing) => {
  const script = toScript(whole(turn), timing);
  const middle = Math.floor(script.steps.length / 2);
  const steps = script.steps.map((step, index) => (index === middle ? { ...step, waitMs: timing.silenceMs } : step));
  return { ...script, steps };
};

export const sendDeltas: Odd = (turn, timing) => {
  const { beats, snapshots, final } = buildStreamEvents(turn);
  const starts = [0, ...snapshots.map(({ messages }) => messages[0]?.text.length ?? 0)];
  const deltas = snapshots.map((body, index) => withText(body, (text) => text.slice(starts[index])));
  return toScript([...beats, ...deltas, final], timing);
};

function withText(body: ConversationBody, change: (text: string) => string): ConversationBody {
  return { ...body, messages: body.messages.map((message) => ({ ...message, text: change(message.text) })) };
}
