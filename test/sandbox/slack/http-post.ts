import { Agent, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';

/** `status` is undefined where no answer came, and `error` says why. */
export type PostAnswer = {
  status: number | undefined;
  body: string;
  headers: Record<string, string | string[] | undefined>;
  error: 'http_timeout' | 'connection_failed' | undefined;
};

export function noAnswer(error: 'http_timeout' | 'connection_failed'): PostAnswer {
  return { status: undefined, body: '', headers: {}, error };
}

export type Post = ReturnType<typeof createPost>;

type PostOptions = { headers: Record<string, string>; timeoutMs: number };

/** Plain HTTP with kept connections: everything the sandbox calls is on this machine. */
export function createPost() {
  const agent = new Agent({ keepAlive: true });
  return {
    close: () => agent.destroy(),
    send(url: string, body: string, options: PostOptions): Promise<PostAnswer> {
      return new Promise((resolve) => {
        const headers = { ...options.headers, 'content-length': String(Buffer.byteLength(body)) };
        const outgoing = request(url, { method: 'POST', agent, headers }, (incoming) => {
          readText(incoming).then(
            (body) => {
              clearTimeout(timer);
              resolve({ status: incoming.statusCode ?? 0, body, headers: incoming.headers, error: undefined });
            },
            () => fail('connection_failed'),
          );
        });
        const fail = (error: 'http_timeout' | 'connection_failed') => {
          clearTimeout(timer);
          resolve(noAnswer(error));
          outgoing.destroy();
        };
        const timer = setTimeout(() => fail('http_timeout'), options.timeoutMs);
        outgoing.on('error', () => fail('connection_failed'));
        outgoing.end(body);
      });
    },
  };
}
