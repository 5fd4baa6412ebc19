/** What the app left in Slack before it was started: checked as Slack checked it then, and told to nobody. */
import { checkBlocks } from './blocks/check-blocks.ts';
import { checkView } from './blocks/check-view.ts';
import { makeView } from './make-view.ts';
import { buildAppMessage } from './post-message.ts';
import type { Block, Json, Message, View } from './records.ts';
import type { World } from './world.ts';

export type OldMessage = { channel: string; text: string; blocks: Block[]; threadTs?: string; ephemeralFor?: string };

export function leaveMessage({ workspace }: World, message: OldMessage): Message {
  const problems = checkBlocks(message.blocks);
  if (problems.length > 0) throw new Error(problems.join(' '));
  return workspace.messages.add(buildAppMessage(workspace, message));
}

export function leaveModal(world: World, userId: string, sent: Json): View {
  const problems = checkView(sent, 'modal');
  if (problems.length > 0) throw new Error(problems.join(' '));
  const view = makeView(world.workspace, userId, sent);
  world.views.setStack(userId, [view]);
  return view;
}
