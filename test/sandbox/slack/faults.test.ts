import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SandboxSlack, startSlack } from './start-slack.ts';

describe('faults', () => {
  let slack: SandboxSlack;

  beforeEach(async () => {
    slack = await startSlack();
  });

  afterEach(() => slack.close());

  const send = (signal?: AbortSignal) =>
    fetch(`${slack.apiUrl}chat.postMessage`, {
      method: 'POST',
      body: JSON.stringify({ channel: 'C0GENERAL', text: 'x' }),
      headers: { authorization: `Bearer ${slack.botToken}`, 'content-type': 'application/json' },
      ...(signal && { signal }),
    });
  const shown = () => slack.workspace.messages.inChannel('C0GENERAL').length;

  it('cut the connection before or after the message was posted', async () => {
    slack.faults.next('chat.postMessage', { kind: 'resetBeforeProcessing' });
    await expect(send()).rejects.toThrow();
    const before = shown();
    slack.faults.next('chat.postMessage', { kind: 'resetAfterProcessing' });

    await expect(send()).rejects.toThrow();

    expect([before, shown()]).toEqual([0, 1]);
  });

  it('answer a status, a limit, an error or a page as often as told, then nothing is wrong', async () => {
    slack.faults.next('chat.postMessage', { kind: 'status', status: 503, times: 2 });
    slack.faults.next('*', { kind: 'rateLimited', retryAfterSeconds: 7 });
    slack.faults.next('*', { kind: 'slackError', error: 'fatal_error' });
    slack.faults.next('*', { kind: 'html', status: 502 });

    const responses = [];
    for (let call = 0; call < 6; call += 1) responses.push(await send());

    expect(responses.map((response) => response.status)).toEqual([503, 503, 429, 200, 502, 200]);
    expect(responses[2]?.headers.get('retry-after')).toBe('7');
    expect(await responses[3]?.json()).toEqual({ ok: false, error: 'fatal_error' });
    expect(responses[4]?.headers.get('content-type')).toContain('text/html');
    expect(shown()).toBe(1);
  });

  it('can process a call and then answer that it failed', async () => {
    slack.faults.always('chat.postMessage', { kind: 'status', status: 500, after: true });

    const response = await send();

    expect([response.status, shown()]).toEqual([500, 1]);
  });

  it('wait for hooks before processing, and before answering', async () => {
    const seen: string[] = [];
    slack.faults.onCall('chat.postMessage', () => void seen.push(`call ${shown()}`));
    slack.faults.onProcessed(
      'chat.postMessage',
      async ({ response }) => void seen.push(`processed ${shown()} ${String(response?.ok)}`),
    );

    await send();

    expect(seen).toEqual(['call 0', 'processed 1 true']);
  });

  it('tell a test that waits in vain what everybody sees', async () => {
    await send();

    await expect(slack.until(() => false, { timeoutMs: 30, what: 'a miracle' })).rejects.toThrow(
      /in vain for: a miracle[\s\S]*#general[\s\S]*bridge: x[\s\S]*chat\.postMessage → 200/,
    );
  });
});
