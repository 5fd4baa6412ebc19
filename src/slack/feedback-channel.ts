import type { Turn } from '../conversation/turn.ts';
import { type ThreadReader, toAskedTs } from './read-thread.ts';
import type { Uses } from './services.ts';
import { buildFeedbackMessage, type Feedback, type SaidAlong } from './views/feedback-window.ts';
import { isUnchangeable, patiently, toCallCode } from './web/slack-errors.ts';

/**
 * Posts feedback on an answer, or replaces the person's earlier feedback, the message `former`. `turn`: undefined if it
 * cannot be read, or somebody else asked it. Returns the ts of the message; undefined: not posted, which is logged.
 */
export type SendFeedback = (feedback: Feedback, turn: Turn | undefined, former?: string) => Promise<string | undefined>;

/** `place`: FEEDBACK_CHANNEL. */
type Needs = Uses<'messenger' | 'channels' | 'audience' | 'log'> &
  Pick<ThreadReader, 'readQuestion' | 'readAnswer'> & { place: { team: string; id: string } };

/** Longer waits are not worth it. */
const PATIENCE = { attempts: 3, leastMs: 1_000, longestMs: 30_000 };

export function createFeedbackChannel(ports: Needs): SendFeedback {
  const { messenger, channels, log } = ports;
  const { team: workspace, id: channel } = ports.place;

  return async (feedback, turn, former) => {
    try {
      const { isShared } = await channels.look(workspace, channel, 'notice');
      if (isShared) {
        log.warn('feedback not posted: people of other organisations read FEEDBACK_CHANNEL');
        return undefined;
      }
      const said = feedback.withText && turn ? await readAlong(turn, ports) : undefined;
      const content = buildFeedbackMessage(feedback, said, turn?.details?.requestId);
      if (former !== undefined) {
        const update = () => messenger.update({ workspace, channel }, former, content, 'notice');
        const isChanged = await patiently(update, PATIENCE).then(() => true, isGone);
        if (isChanged) return former;
      }
      return await patiently(() => messenger.post({ workspace, channel }, content, 'notice'), PATIENCE);
    } catch (error) {
      log.warn({ code: toCallCode(error) }, 'feedback not posted');
      return undefined;
    }
  };
}

/** False: the message cannot be updated any more. Other errors are thrown. */
function isGone(error: unknown): false {
  if (isUnchangeable(error)) return false;
  throw error;
}

/**
 * The question and the answer, which are kept in Slack only. Guests must not read an answer here: it was made with the
 * permissions of its asker.
 */
async function readAlong(turn: Turn, ports: Needs): Promise<SaidAlong> {
  const { team, id } = ports.place;
  if ((await ports.audience.look(team, id)) !== 'members') return 'guests';
  try {
    const asked = { ...turn.question, messageTs: toAskedTs(turn) };
    const [read, answer] = await Promise.all([ports.readQuestion(asked), ports.readAnswer(turn)]);
    return read?.isByAsker && answer ? { question: read.text, answer } : 'unreadable';
  } catch (error) {
    ports.log.warn({ code: toCallCode(error) }, 'feedback without its text');
    return 'unreadable';
  }
}
