import type { HookedCall } from '@assistant-bridge/sandbox/slack/faults.ts';
import type { Json } from '@assistant-bridge/sandbox/slack/records.ts';
import type { SandboxSlack } from '@assistant-bridge/sandbox/slack/start-slack.ts';
import { toEnding } from './ending.ts';
import type { Journal } from './journal.ts';

/** Notes when each message's terminal reply is first in Slack. */
export function watchReplies(slack: SandboxSlack, journal: Journal): void {
  const findMetadata: Record<string, (given: Json) => unknown> = {
    'chat.postMessage': ({ metadata }) => metadata,
    'chat.update': ({ channel, ts }) => slack.workspace.messages.find(String(channel), String(ts))?.metadata,
  };
  // Of all methods: clearing the faults of one removes its own hooks, too.
  slack.faults.onProcessed('*', ({ method, arguments: given, response }: HookedCall) => {
    const find = findMetadata[method];
    const ending = toEnding(given);
    if (!find || !response?.ok || !ending) return;
    const said = journal.ofTurn(readTurn(find(given)));
    if (said) journal.replied(said, ending);
  });
}

/** The opaque id of the turn that a message of the app belongs to. */
export function readTurn(metadata: unknown): unknown {
  return ((metadata as Json | undefined)?.event_payload as Json | undefined)?.turn;
}
