import { z } from 'zod';
import { REPLY_MODES, type ReplyMode } from '../policy/values.ts';
import type { Operation } from './operation.ts';

const WORDS: Record<ReplyMode, string> = {
  mentions: 'only when mentioned',
  threads: 'when mentioned, and in threads that it is in',
  all: 'to every message that begins a thread',
};

export const REPLY: Operation<'reply'> = {
  id: 'reply',
  noun: 'reply mode',
  targets: ['channel'],
  hasCurrency: false,
  schema: z.enum(REPLY_MODES),
  describe: (mode) => WORDS[mode],
};
