import type { ThreadConversation } from '../conversation/thread-store.ts';

/** The installing team of a conversation. Records of the first release do not name it: theirs is the thread key's team. */
export function toWorkspace(thread: string, { workspace }: ThreadConversation): string {
  return workspace ?? thread.split(':', 1)[0] ?? '';
}
