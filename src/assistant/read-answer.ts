import type { HttpResponse } from '../http/http-client.ts';
import { OutcomeUnknownError } from '../http/http-errors.ts';
import type { AssistantAnswer } from './assistant-answer.ts';
import { AssistantOutcomeUnknownError } from './assistant-errors.ts';
import { readTrace } from './service-trace.ts';
import { createStreamedAnswer } from './streamed-answer.ts';
import { toAskFailure } from './transport-failure.ts';
import { parseWholeAnswer } from './whole-answer.ts';

export type AnswerReading = {
  /** The question as it was asked: the answer repeats it. */
  text: string;
  signal?: AbortSignal | undefined;
};

/** Reads a 2xx answer, whole or as a stream, whatever had been asked for. */
export async function readAnswer(response: HttpResponse, call: AnswerReading): Promise<AssistantAnswer> {
  if (isEventStream(response)) return readStream(response, response.chunks(), call);
  try {
    const body = await response.text();
    // A stream whose type got lost on the way.
    if (/^\s*(?:data|id|event|retry)?:/.test(body)) return await readStream(response, [body], call);
    return parseWholeAnswer(body, call.text, readTrace(response));
  } catch (error) {
    throw toAskFailure(error, call.signal);
  }
}

/** `event/stream` is what older deployments send. */
function isEventStream(response: HttpResponse): boolean {
  const type = [response.headers['content-type']].flat()[0] ?? '';
  return /^\s*(?:text\/event-stream|event\/stream)\b/i.test(type);
}

type Chunks = AsyncIterable<string> | Iterable<string>;

async function readStream(response: HttpResponse, chunks: Chunks, call: AnswerReading): Promise<AssistantAnswer> {
  const streamed = createStreamedAnswer(call.text);
  let cut: OutcomeUnknownError | undefined;
  try {
    for await (const chunk of chunks) {
      streamed.push(chunk);
      if (streamed.hasFailed()) break;
    }
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError) || error.reason === 'aborted') throw toAskFailure(error, call.signal);
    cut = error;
  }
  const { answer, failure } = streamed.finish(cut !== undefined);
  if (answer) return answer;
  if (cut) throw toAskFailure(cut, call.signal);
  throw new AssistantOutcomeUnknownError(failure ? 'service_error' : 'ended', readTrace(response, failure));
}
