import type { Texts } from '../languages/english.ts';
import { textsOf } from '../languages/texts.ts';
import { withinTime } from '../time-limit.ts';
import { installationOf } from './installations/request-source.ts';
import type { Uses } from './services.ts';

export type TextsPorts = Uses<'people' | 'findInstallation'>;

const SOON_MS = 1_000;

/**
 * The texts in the language of the person who clicked or typed a command. `body`: what Slack sent. Never throws. Takes
 * at most twice `withinMs`: store and Slack may be slow, and some listeners need it before they acknowledge.
 */
export async function textsFor(
  body: object,
  { people, findInstallation }: TextsPorts,
  withinMs = SOON_MS,
): Promise<Texts> {
  const found = installationOf(body, { findInstallation }).then(
    ({ workspace }) => workspace,
    () => '',
  );
  // We know nobody in an unknown workspace, so use the default language.
  const workspace = await withinTime(withinMs, found, () => '');
  return textsOf(await people.languageSoon(workspace, readUser(body), withinMs));
}

/** Of an interaction or a command. */
export function readUser(body: object): string {
  const { user, user_id } = body as { user?: { id?: unknown }; user_id?: unknown };
  return String(user?.id ?? user_id ?? '');
}
