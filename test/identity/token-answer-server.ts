import { type LoopbackServer, startLoopbackServer } from '@assistant-bridge/sandbox/loopback/loopback-server.ts';
import { type Reply, readRequestText, sendReply } from '@assistant-bridge/sandbox/loopback/reply.ts';

export type TokenAnswerServer = LoopbackServer & { readonly forms: URLSearchParams[] };

/** A token endpoint that answers what the test says: for answers that no provider built on a library would give. */
export async function startTokenAnswers(answers: Reply[]): Promise<TokenAnswerServer> {
  const forms: URLSearchParams[] = [];
  const server = await startLoopbackServer(async (request, response) => {
    forms.push(new URLSearchParams(await readRequestText(request)));
    sendReply(response, answers.shift() ?? { status: 500 });
  });
  return { ...server, forms };
}
