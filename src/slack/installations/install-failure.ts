import { type CodedError, ErrorCode } from '@slack/oauth';
import { TransientError } from '../../errors.ts';
import type { Page } from '../../identity/pages/page.ts';
import { toSafeCode } from '../../identity/provider-errors.ts';
import type { Log } from '../../log.ts';
import { readSlackError } from '../web/bolt-client.ts';
import { SLACK_FAULTS } from '../web/slack-errors.ts';
import { InstallRefusedError } from './install-errors.ts';
import {
  buildCancelledPage,
  buildExpiredPage,
  buildFailedPage,
  buildNotBegunPage,
  buildRefusedPage,
  buildUnavailablePage,
  type InstallForm,
  SLACK_REFUSED_PAGE,
} from './install-pages.ts';

/** What oauth.v2.access says of a code that was used or is too old. */
const CODE_IS_OVER = new Set(['invalid_code', 'code_already_used', 'code_expired']);

/** What somebody sees whose installation did not come to an end. `callback`: with what Slack sent their browser back. */
export function toFailurePage(
  error: CodedError,
  { form, callback, log }: { form: InstallForm; callback: URLSearchParams; log: Log },
): Page {
  if (error instanceof InstallRefusedError) {
    const { workspace, reason, isRemoved } = error;
    log.warn({ workspace, reason, isRemoved }, 'installation refused');
    return buildRefusedPage(error);
  }
  switch (error.code) {
    case ErrorCode.AuthorizationError:
      return buildCancelledPage(form);
    case ErrorCode.MissingStateError:
      return buildNotBegunPage(form);
    case ErrorCode.InvalidStateError:
      return buildExpiredPage(form);
    case ErrorCode.MissingCodeError:
      return callback.has('error') ? toRefused(toSafeCode(callback.get('error')), log) : buildNotBegunPage(form);
    default:
      return toPageOfCall(error, form, log);
  }
}

/** A call to Slack failed, or the store did. */
function toPageOfCall(error: CodedError, form: InstallForm, log: Log): Page {
  const slackError = readSlackError(error);
  if (slackError !== undefined && CODE_IS_OVER.has(slackError)) return buildExpiredPage(form);
  if (slackError !== undefined && !SLACK_FAULTS.has(slackError)) return toRefused(slackError, log);
  if (error instanceof TransientError || error.code.startsWith('slack_webapi_')) {
    log.warn({ code: error.code, slackError }, 'installation not possible now');
    return buildUnavailablePage(form);
  }
  log.error({ err: error }, 'installation failed');
  return buildFailedPage(form);
}

function toRefused(slackError: string, log: Log): Page {
  log.error({ slackError }, 'slack refused the installation: compare the app with its manifest');
  return SLACK_REFUSED_PAGE;
}
