import { expect, it } from 'vitest';
import type { Channels } from '../../src/slack/channels.ts';
import { createSendFile, isFileHost } from '../../src/slack/files.ts';
import { useSandboxSlack } from './a-slack.ts';
import { only } from './only.ts';

const ANA = { workspace: 'T0001', user: 'U0ANA' };
const FILE = { name: 'limits.csv', content: '\ufeffname\r\nZoë\r\n', comment: 'see' };
const COMPLETE = 'files.completeUploadExternal';

const world = useSandboxSlack();

const send = () => {
  const { http, call, slack } = world;
  const channels = only<Channels>({ directMessage: async () => slack.as('U0ANA').dm });
  return createSendFile({ http, call, channels, apiUrl: slack.apiUrl })(ANA, FILE);
};

/** What Ana was sent, with its content. */
function readFiles() {
  const { dm, sees } = world.slack.as('U0ANA');
  return sees(dm).flatMap(({ text, files = [] }) =>
    files.map(({ id, name }) => [text, name, String(world.slack.workspace.files.get(String(id))?.content)]),
  );
}

it('sends a file byte by byte, with its comment', async () => {
  await send();

  expect(readFiles()).toEqual([['see', 'limits.csv', FILE.content]]);
});

// Where the app may not send files, and where the outcome is unknown: see ../end-to-end/admin-commands.test.ts.
it('tries again what Slack has certainly not done', async () => {
  world.slack.faults.next('files.getUploadURLExternal', { kind: 'resetAfterProcessing' });
  world.slack.faults.next(COMPLETE, { kind: 'rateLimited', retryAfterSeconds: 1 });

  await send();

  expect(readFiles()).toHaveLength(1);
});

it('gives the content to no host but Slack', async () => {
  world.slack.faults.next('files.getUploadURLExternal', {
    kind: 'slackError',
    error: '',
    response: { ok: true, upload_url: 'https://files.example/upload', file_id: 'F1' },
  });

  await expect(send()).rejects.toMatchObject({ slackError: 'unknown_host' });
});

it.each([
  ['https://files.slack.com/x', true],
  ['https://files.slack-gov.com/x', true],
  ['https://slack.example/x', true],
  ['https://files.slack.com.evil.example/x', false],
  ['https://files.slack.com@evil.example/x', false],
  ['http://files.slack.com/x', false],
  ['', false],
])('takes %j for an address of Slack’s files: %s', (url, isOurs) => {
  expect(isFileHost(url, 'https://slack.example/api/')).toBe(isOurs);
});
