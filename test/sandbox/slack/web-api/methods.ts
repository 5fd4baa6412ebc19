import { AGENTS } from './agents.ts';
import { CHAT } from './chat.ts';
import { CHAT_STREAM } from './chat-stream.ts';
import { CONVERSATIONS } from './conversations.ts';
import { FILES } from './files.ts';
import { INSTALLS } from './installs.ts';
import type { Method } from './method.ts';
import { PEOPLE } from './people.ts';
import { VIEWS } from './views.ts';

/** Every method the sandbox knows. Another one is answered with `unknown_method`. */
export const METHODS: ReadonlyMap<string, Method> = new Map(
  Object.entries({ ...AGENTS, ...CHAT, ...CHAT_STREAM, ...CONVERSATIONS, ...FILES, ...INSTALLS, ...PEOPLE, ...VIEWS }),
);
