import { NotSentError, OutcomeUnknownError } from '../http/http-errors.ts';
import { AssistantOutcomeUnknownError, AssistantStoppedError, AssistantUnreachableError } from './assistant-errors.ts';

/** What happened on the way of a question, in the words of this client. Anything unexpected is passed on as it is. */
export function toAskFailure(error: unknown, signal: AbortSignal | undefined): unknown {
  if (error instanceof NotSentError) {
    const { retryAfterMs } = error;
    return new AssistantUnreachableError('no connection to the assistant service', {}, { cause: error, retryAfterMs });
  }
  if (!(error instanceof OutcomeUnknownError)) return error;
  if (error.reason === 'aborted') return new AssistantStoppedError({ cause: signal?.reason });
  return new AssistantOutcomeUnknownError(error.reason, {}, { cause: error });
}

/** The same for the creation of a conversation, which may be tried again whatever happened to it. */
export function toCreateFailure(error: unknown, signal: AbortSignal | undefined): unknown {
  const failure = toAskFailure(error, signal);
  if (!(failure instanceof AssistantOutcomeUnknownError)) return failure;
  return new AssistantUnreachableError(`no conversation was created: ${failure.reason}`, {}, { cause: failure });
}
