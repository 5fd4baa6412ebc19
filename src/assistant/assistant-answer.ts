import type { Source } from '../conversation/outcome.ts';
import { citeSources } from './citations.ts';
import type { ServiceMessage } from './conversation-body.ts';
import { isObject, readText } from './json.ts';
import { dropUnfinishedMarker } from './unfinished-marker.ts';

export type AssistantAnswer = {
  /** Markdown, its private markers turned into `[1]`. Empty where the service answered with nothing. Untrusted. */
  text: string;
  sources: Source[];
  turnCount?: number | undefined;
  /** The service closed the conversation: it refuses every further question there. */
  disengaged: boolean;
  /** The stream broke off: this is what had arrived. */
  partial: boolean;
  /** The name of the answer's sensitivity label. */
  sensitivity?: string | undefined;
};

export type AnswerParts = {
  /** Without the echo of the question. */
  replies: readonly ServiceMessage[];
  state: string | undefined;
  turnCount: number | undefined;
  partial: boolean;
};

export function toAnswer({ replies, state, turnCount, partial }: AnswerParts): AssistantAnswer {
  // What a broken stream ends with may be half a marker.
  const whole = partial ? replies.map((reply) => ({ ...reply, text: dropUnfinishedMarker(reply.text) })) : replies;
  const shown = whole.filter(({ text }) => text.trim() !== '');
  const { text, sources } = citeSources(shown);
  return {
    text,
    sources: text === '' ? [] : sources,
    turnCount,
    disengaged: state === 'disengagedForRai',
    partial,
    sensitivity: readSensitivity(shown),
  };
}

/** The label of the highest priority. Unlabelled content carries the label with nothing in it. */
function readSensitivity(replies: readonly ServiceMessage[]): string | undefined {
  let name: string | undefined;
  let highest = Number.NEGATIVE_INFINITY;
  for (const { sensitivityLabel: label } of replies) {
    if (!isObject(label)) continue;
    const priority = typeof label.priority === 'number' ? label.priority : 0;
    const displayName = readText(label, 'displayName');
    if (displayName === undefined || priority < highest) continue;
    name = displayName;
    highest = priority;
  }
  return name;
}
