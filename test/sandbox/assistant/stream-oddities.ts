// Oddities of the stream: each builds the steps of one odd stream from a processed turn.
import type { ConversationBody, Turn } from './conversation.ts';
import {
  buildStreamEvents,
  buildStreamScript,
  encode,
  type StreamEvent,
  type StreamScript,
  toScript,
} from './stream-script.ts';

export type StreamOddity =
  | 'stream-prefix-rewrite'
  | 'stream-raw-newlines'
  | 'stream-missing-blank-line'
  | 'stream-no-final'
  | 'stream-error-event'
  | 'stream-crlf'
  | 'stream-old-content-type'
  | 'stream-cut'
  | 'stream-silence'
  | 'stream-delta'
  | 'stream-unmarked';

export type StreamTiming = { readonly stepMs: number; readonly silenceMs: number };

export const STREAM_ODDITIES: Readonly<Record<StreamOddity, (turn: Turn, timing: StreamTiming) => StreamScript>> = {
  'stream-prefix-rewrite': rewritePrefix,
  'stream-raw-newlines': keepRawNewlines,
  'stream-missing-blank-line': dropBlankLines,
  'stream-no-final': (turn, timing) => toScript(opening(turn), timing),
  'stream-error-event': (turn, timing) => toScript([...opening(turn).slice(0, 4), ERROR_EVENT], timing),
  'stream-unmarked': (turn, timing) =>
    toScript(
      whole(turn).map((event) => ({ ...event, displayName: 'Chat' })),
      timing,
    ),
  'stream-crlf': (turn, timing) => toScript(whole(turn), { ...timing, newline: '\r\n' }),
  'stream-old-content-type': (turn, { stepMs }) => ({
    ...buildStreamScript(turn, stepMs),
    contentType: 'event/stream',
  }),
  'stream-cut': (turn, timing) => ({ ...toScript(opening(turn).slice(0, 6), timing), end: 'cut' }),
  'stream-silence': fallSilent,
  'stream-delta': sendDeltas,
};

const ERROR_EVENT = { error: { code: 'generalException', message: 'The answer could not be completed.' } };

function opening(turn: Turn): StreamEvent[] {
  const { beats, snapshots } = buildStreamEvents(turn);
  return [...beats, ...snapshots];
}

function whole(turn: Turn): StreamEvent[] {
  return [...opening(turn), buildStreamEvents(turn).final];
}

// Half-way the service changes its mind about how the answer begins.
function rewritePrefix(turn: Turn, timing: StreamTiming): StreamScript {
  const { beats, snapshots, final } = buildStreamEvents(turn);
  const early = snapshots.slice(0, Math.ceil(snapshots.length / 2));
  const drafts = early.map((body) => withText(body, (text) => `Let me think. ${text}`));
  return toScript([...beats, ...drafts, ...snapshots.slice(early.length), final], timing);
}

// Seen live: the cards of the final event are pretty-printed, so the JSON runs over lines without `data:`.
function keepRawNewlines(turn: Turn, timing: StreamTiming): StreamScript {
  const events = opening(turn);
  const final = buildStreamEvents(turn).final;
  const script = toScript(events, timing);
  const last = encode(final, events.length, '\n', JSON.stringify(final, null, 2));
  return { ...script, steps: [...script.steps, { text: last, waitMs: timing.stepMs }] };
}

function dropBlankLines(turn: Turn, timing: StreamTiming): StreamScript {
  const script = toScript(whole(turn), timing);
  return { ...script, steps: script.steps.map((step) => ({ ...step, text: step.text.replace(/\n\n$/, '\n') })) };
}

function fallSilent(turn: Turn, timing: StreamTiming): StreamScript {
  const script = toScript(whole(turn), timing);
  const middle = Math.floor(script.steps.length / 2);
  const steps = script.steps.map((step, index) => (index === middle ? { ...step, waitMs: timing.silenceMs } : step));
  return { ...script, steps };
}

function sendDeltas(turn: Turn, timing: StreamTiming): StreamScript {
  const { beats, snapshots, final } = buildStreamEvents(turn);
  let sent = 0;
  const deltas = snapshots.map((body) =>
    withText(body, (text) => {
      const delta = text.slice(sent);
      sent = text.length;
      return delta;
    }),
  );
  return toScript([...beats, ...deltas, final], timing);
}

function withText(body: ConversationBody, change: (text: string) => string): ConversationBody {
  return { ...body, messages: body.messages.map((message) => ({ ...message, text: change(message.text) })) };
}
