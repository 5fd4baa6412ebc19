import type { Texts } from '../../../src/languages/english.ts';
import { listAnswerKinds } from './answer-kinds.ts';
import type { Kind } from './kind.ts';
import { listNoticeKinds } from './notice-kinds.ts';
import { listSignInKinds } from './sign-in-kinds.ts';
import { listWindowKinds } from './window-kinds.ts';

/** Everything that people who ask read, in one language. */
export async function listAskerKinds(texts: Texts): Promise<Kind[]> {
  return [
    ...(await listAnswerKinds(texts)),
    ...listNoticeKinds(texts),
    ...listSignInKinds(texts),
    ...listWindowKinds(texts),
  ];
}
