import { type LoopbackServer, startLoopbackServer } from '@assistant-bridge/sandbox/loopback/loopback-server.ts';
import { type Reply, readRequestText, sendReply } from '@assistant-bridge/sandbox/loopback/reply.ts';

export type TokenAnswerServer = LoopbackServer & { readonly forms: URLSearchParams[] };

/** A token endpoint that answers what the test says: for answers that no provider built on a library would give. */
export async function startTokenEndpoint(answer: (form: URLSearchParams) => Reply): Promise<TokenAnswerServer> {
  const forms: URLSearchParams[] = [];
  const server = await startLoopbackServer(async (request, response) => {
    const form = new URLSearchParams(await readRequestText(request));
    forms.push(form);
    sendReply(response, answer(form));
  });
  return { ...server, forms };
}

/** The same, with one answer after the other. */
export function startTokenAnswers(answers: Reply[]): Promise<TokenAnswerServer> {
  return startTokenEndpoint(() => answers.shift() ?? { status: 500 });
}
