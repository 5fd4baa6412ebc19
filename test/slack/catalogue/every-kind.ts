import { LANGUAGES } from '../../../src/languages/language.ts';
import { textsOf } from '../../../src/languages/texts.ts';
import { listAdminMessageKinds } from './admin-message-kinds.ts';
import { listAdminRunKinds } from './admin-run-kinds.ts';
import { listAdminWindowKinds } from './admin-window-kinds.ts';
import { listAskerKinds } from './asker-kinds.ts';
import type { Kind } from './kind.ts';

/** Every kind of message and window that the app shows in Slack, in every language. A test holds it complete. */
export async function listEveryKind(): Promise<Kind[]> {
  const inEach = LANGUAGES.map(async (language): Promise<Kind[]> => {
    const kinds = await listAskerKinds(textsOf(language));
    return kinds.map((kind) => ({ ...kind, kind: `${kind.kind} (${language})` }));
  });
  return [
    ...(await Promise.all(inEach)).flat(),
    ...(await listAdminMessageKinds()),
    ...listAdminWindowKinds(),
    ...listAdminRunKinds(),
  ];
}
