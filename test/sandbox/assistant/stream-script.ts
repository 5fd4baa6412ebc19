// What a stream sends, step by step: cumulative snapshots of the conversation, as captured from live services.
import { type ConversationBody, type ConversationMessage, type Turn, toConversationBody } from './conversation.ts';

type StreamStep = { readonly text: string; readonly waitMs: number };

export type StreamScript = {
  readonly contentType: string;
  readonly steps: readonly StreamStep[];
  /** `cut`: the connection is destroyed instead of being ended. */
  readonly end: 'finish' | 'cut';
};

export type StreamEvent = ConversationBody | { readonly error: { readonly code: string; readonly message: string } };

/** The events of a stream without oddities: heartbeats, growing snapshots, a pause, the whole conversation. */
export function buildStreamEvents(turn: Turn) {
  const idle = buildIntermediate(turn, []);
  const snapshots = toPrefixes(turn.replies.map((reply) => reply.text).join('\n\n')).map((text) =>
    buildIntermediate(turn, toSnapshotMessages(turn, text)),
  );
  return { beats: [{ ...idle, turnCount: turn.turnCount - 1 }, idle], snapshots, final: buildFinal(turn) };
}

export function buildStreamScript(turn: Turn, stepMs: number): StreamScript {
  const { beats, snapshots, final } = buildStreamEvents(turn);
  const idle = beats.slice(-1);
  return toScript([...beats, ...snapshots, ...idle, final], { stepMs });
}

export type EncodeOptions = { readonly stepMs: number; readonly newline?: string };

export function toScript(events: readonly StreamEvent[], options: EncodeOptions): StreamScript {
  const newline = options.newline ?? '\n';
  const keepAlive = { text: `: keep-alive${newline}${newline}`, waitMs: 0 };
  const steps = events.map((event, index) => ({ text: encode(event, index, newline), waitMs: options.stepMs }));
  return {
    contentType: 'text/event-stream',
    steps: [...steps.slice(0, 1), keepAlive, ...steps.slice(1)],
    end: 'finish',
  };
}

/** One event: no `event:` field, no space after `data:`, an id with gaps and a trailing space. */
export function encode(event: StreamEvent, index: number, newline: string, json = JSON.stringify(event)): string {
  return `data:${json}${newline}id:${index * 3 + 1} ${newline}${newline}`;
}

function buildIntermediate(turn: Turn, messages: readonly ConversationMessage[]): ConversationBody {
  return { ...toConversationBody(turn), displayName: 'Intermediate Conversation Update', messages };
}

// Attributions and references arrive with the final event only; streamed cards carry the text.
function toSnapshotMessages(turn: Turn, text: string): ConversationMessage[] {
  const reply = turn.replies.at(-1);
  return reply === undefined
    ? []
    : [{ ...reply, text, attributions: [], references: {}, adaptiveCards: [toCard(text)] }];
}

function buildFinal(turn: Turn): ConversationBody {
  const replies = turn.replies.map((reply) => ({ ...reply, adaptiveCards: [toCard(reply.text)] }));
  return toConversationBody({ ...turn, replies });
}

function toCard(text: string): object {
  return { type: 'AdaptiveCard', version: '1.5', body: [{ type: 'TextBlock', text, wrap: true }] };
}

const MOST_SNAPSHOTS = 12;

function toPrefixes(text: string): string[] {
  if (text === '') return [];
  if (text.length > 100_000) return [text.slice(0, 1000)];
  const size = Math.ceil(text.length / MOST_SNAPSHOTS);
  const prefixes: string[] = [];
  for (let end = size; end < text.length + size; end += size) prefixes.push(text.slice(0, end));
  return prefixes;
}
