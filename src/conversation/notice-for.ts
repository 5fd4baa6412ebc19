import type { BridgeError } from '../errors.ts';
import type { Notice, NoticeCode } from './outcome.ts';

/** The one place where an error becomes what the person is told. Codes are stable; messages are for operators. */
const NOTICES: Record<string, NoticeCode> = {
  assistant_outcome_unknown: 'outcome_unknown',
  assistant_unauthorized: 'account_unusable',
  assistant_account: 'account_unusable',
  identity_provider_misconfigured: 'sign_in_broken',
  assistant_forbidden: 'forbidden',
  assistant_rejected: 'rejected',
  question_too_long: 'too_long',
  conversation_gone: 'outcome_unknown',
  conversation_busy: 'busy',
  question_gone: 'question_gone',
  no_question: 'no_question',
  cannot_post: 'cannot_post',
};

/** `explanation`, where an error carries one, is text that the service wrote for people. */
export function noticeFor(error: BridgeError & { explanation?: string | undefined }): Notice {
  const code = NOTICES[error.code] ?? 'failed';
  return error.explanation ? { kind: 'notice', code, detail: error.explanation } : { kind: 'notice', code };
}
