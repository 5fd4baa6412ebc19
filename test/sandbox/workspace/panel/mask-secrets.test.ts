import { expect, it } from 'vitest';
import { maskSecrets } from './mask-secrets.ts';

it('masks what would let a reader act as somebody, wherever it stands', () => {
  const masked = maskSecrets({
    access_token: 'abc',
    trigger_id: '1.2',
    response_url: 'https://slack.example/response/1',
    response_urls: [],
    blocks: [{ url: 'http://127.0.0.1/link/start?ticket=abc123', text: '<http://x/?a=1&code=xyz|Open>' }],
    text: 'token xoxb-1-2, Bearer abc.def, and eyJhbGciOi.eyJzdWI.sig',
  });

  expect(masked).toEqual({
    access_token: '•••',
    trigger_id: '•••',
    response_url: '•••',
    response_urls: [],
    blocks: [{ url: 'http://127.0.0.1/link/start?ticket=•••', text: '<http://x/?a=1&code=•••|Open>' }],
    text: 'token •••, Bearer •••, and •••',
  });
});

it('leaves everything else as it is', () => {
  const body = { message: { text: 'What is the code of conduct?' }, turnCount: 2, isWebEnabled: false, none: null };

  expect(maskSecrets(body)).toEqual(body);
});
