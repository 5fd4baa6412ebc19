import { expect, it } from 'vitest';
import { BridgeError } from '../../../src/errors.ts';
import { orRefusedForm, SlackRefusedError } from '../../../src/slack/web/slack-errors.ts';

const codeFor = (slackError: string) => {
  const error = orRefusedForm(new SlackRefusedError('chat.postMessage', slackError));
  return error instanceof BridgeError ? error.code : undefined;
};

it.each(['msg_blocks_too_long', 'invalid_blocks_format', 'no_text', 'attachment_payload_limit_exceeded', 'a_new_word'])(
  '%s is about the form of a message',
  (slackError) => expect(codeFor(slackError)).toBe('form_refused'),
);

it.each(['invalid_auth', 'token_revoked', 'missing_scope', 'account_inactive', 'team_access_not_granted'])(
  '%s is about us',
  (slackError) => expect(codeFor(slackError)).toBe('slack_refused'),
);
