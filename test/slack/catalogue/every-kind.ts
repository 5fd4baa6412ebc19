import type { Texts } from '../../../src/languages/english.ts';
import { LANGUAGES } from '../../../src/languages/language.ts';
import { textsOf } from '../../../src/languages/texts.ts';
import { listAdminMessageKinds } from './admin-message-kinds.ts';
import { listAdminRunKinds } from './admin-run-kinds.ts';
import { listAdminWindowKinds } from './admin-window-kinds.ts';
import { listAdminWorkspaceKinds } from './admin-workspace-kinds.ts';
import { listAnswerKinds } from './answer-kinds.ts';
import type { Kind } from './kind.ts';
import { listNoticeKinds } from './notice-kinds.ts';
import { listSignInKinds } from './sign-in-kinds.ts';
import { listWindowKinds } from './window-kinds.ts';

/** Every kind of message and window that the app shows in Slack, in every language. A test holds it complete. */
export async function listEveryKind(): Promise<Kind[]> {
  const inEach = LANGUAGES.map(async (language): Promise<Kind[]> => {
    const kinds = await listAskerKinds(textsOf(language));
    return kinds.map((kind) => ({ ...kind, kind: `${kind.kind} (${language})` }));
  });
  return [
    ...(await Promise.all(inEach)).flat(),
    ...(await listAdminMessageKinds()),
    ...listAdminWorkspaceKinds(),
    ...listAdminWindowKinds(),
    ...listAdminRunKinds(),
  ];
}

/** Everything that people who ask read, in one language. */
export async function listAskerKinds(texts: Texts): Promise<Kind[]> {
  const listers = [listAnswerKinds, listNoticeKinds, listSignInKinds, listWindowKinds];
  return (await Promise.all(listers.map(async (list) => list(texts)))).flat();
}
