import type { AnswerStream, PartKey } from './reply.ts';
import { withPart } from './reply-parts.ts';
import type { Run } from './run.ts';
import type { ReplyPart } from './turn.ts';

/**
 * Shows the answer of a question in a direct message while it arrives. Each message is recorded before it is created, as
 * the other parts of a reply are. Until the stream is closed, nothing else may write the run's record. Undefined: the
 * answer is shown once it is complete.
 */
export function streamAnswer(run: Run): AnswerStream | undefined {
  const { channel, threadTs, audience, workspace, messageTs } = run.turn.question;
  if (audience !== 'person' || !threadTs) return undefined;
  // What was typed into a window is the first message of the reply, and it is not posted yet.
  if (!messageTs && run.turn.parts.length === 0) return undefined;

  function note({ part }: PartKey, change: Partial<ReplyPart>): void {
    const known = run.turn.parts[part] ?? { step: 'none', channel, threadTs };
    run.note(withPart(run.turn, part, { ...known, ...change }));
  }

  function forget({ part }: PartKey): void {
    run.note({ parts: run.turn.parts.slice(0, part) });
  }

  return run.ports.reply.stream(run.turn, {
    async begin() {
      const key = { workspace, turnId: run.turn.id, part: run.turn.parts.length };
      note(key, { step: 'placing', placingAt: run.ports.now(), since: messageTs, stream: 'open' });
      await run.save().catch((error: unknown) => {
        forget(key);
        throw error;
      });
      run.mustBeHeld();
      return key;
    },
    async placed(key, ts) {
      note(key, { step: 'placed', ts });
      // If this save is lost, the message is found as after a crash.
      await run.save({}, true);
    },
    refused: forget,
    ended: (key) => note(key, { stream: 'ended' }),
  });
}
