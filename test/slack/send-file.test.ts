import { type SandboxSlack, startSlack } from '@assistant-bridge/sandbox/slack/start-slack.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createHttpClient, type HttpClient } from '../../src/http/http-client.ts';
import { createLog } from '../../src/log.ts';
import { createSendFile, type SendFile } from '../../src/slack/send-file.ts';
import { createSlackClient } from '../../src/slack/web/client.ts';
import { only } from './only.ts';

const ANA = { workspace: 'T0001', user: 'U0ANA' };
const FILE = { name: 'limits.csv', content: '\ufeffname\r\nZoë\r\n', comment: 'see' };
const COMPLETE = 'files.completeUploadExternal';

let slack: SandboxSlack;
let http: HttpClient;
let send: SendFile;

beforeEach(async () => {
  slack = await startSlack();
  http = createHttpClient();
  const call = createSlackClient({ http, apiUrl: slack.apiUrl, now: Date.now, log: createLog('silent') });
  send = createSendFile({
    http,
    call,
    apiUrl: slack.apiUrl,
    findInstallation: async () => ({ ...ANA, team: 'T0001', botToken: slack.botToken, botId: 'B1', botUserId: 'UB' }),
    channels: only({ directMessage: async () => slack.as('U0ANA').dm }),
  });
});
afterEach(async () => {
  await http.close();
  await slack.close();
});

/** What Ana was sent, with its content. */
function readFiles() {
  const { dm, sees } = slack.as('U0ANA');
  return sees(dm).flatMap(({ text, files = [] }) =>
    files.map(({ id, name }) => [text, name, String(slack.workspace.files.get(String(id))?.content)]),
  );
}

it('sends a file byte by byte, with its comment', async () => {
  await send(ANA, FILE);

  expect(readFiles()).toEqual([['see', 'limits.csv', FILE.content]]);
});

// Where the app may not send files, and where the outcome is unknown: see ../end-to-end/admin-exports.test.ts.
it('tries again what Slack has certainly not done', async () => {
  slack.faults.next('files.getUploadURLExternal', { kind: 'resetAfterProcessing' });
  slack.faults.next(COMPLETE, { kind: 'rateLimited', retryAfterSeconds: 1 });

  await send(ANA, FILE);

  expect(readFiles()).toHaveLength(1);
});

it('gives the content to no host but Slack', async () => {
  slack.faults.next('files.getUploadURLExternal', {
    kind: 'slackError',
    error: '',
    response: { ok: true, upload_url: 'https://files.example/upload', file_id: 'F1' },
  });

  await expect(send(ANA, FILE)).rejects.toMatchObject({ slackError: 'unknown_host' });
});
