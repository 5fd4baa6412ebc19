import type { LinkKey } from '../identity/account-link.ts';
import { createIdentity, type Identity, type IdentityOptions } from '../identity/identity.ts';
import { UnknownWorkspaceError } from '../slack/installation.ts';
import { createSignInPrompts } from '../slack/sign-in-prompts.ts';
import { buildReceipt } from '../slack/views/sign-in.ts';
import type { Parts } from './parts.ts';
import { toSignInValues } from './sign-in-values.ts';

/** The sign-in with its pages, and the access tokens. A completed sign-in wakes the questions that waited for it. */
export function connectIdentity(parts: Parts, counts: Pick<IdentityOptions, 'onRefresh' | 'onSignIn'>): Identity {
  const { config, http, log, people, messenger, findInstallation, now } = parts;
  const { store, dispatcher, withLock } = parts.backend;
  const prompts = createSignInPrompts({ ...store, now });
  /** What was prompted for before a sign-in, or before its end, says nothing about what comes after it. */
  const forgetPrompt = async (key: LinkKey) => {
    if (key.purpose !== 'assistant') return;
    await prompts.release(key).catch((error: unknown) => log.warn({ err: error }, 'sign-in prompt not released'));
  };
  const isInstalled = (workspace: string) =>
    findInstallation(workspace).then(
      () => true,
      (error: unknown) => !(error instanceof UnknownWorkspaceError),
    );
  return createIdentity({
    ...toSignInValues(config),
    once: store.once,
    links: store.links,
    encryptionKeys: config.ENCRYPTION_KEYS,
    defaultChannelAnswers: config.CHANNEL_ANSWERS,
    async describePerson({ user }, workspace) {
      const { name, handle } = await people.profile(workspace, user);
      return `${name} (@${handle})`;
    },
    async onLinked({ link }) {
      // Signed in while the app was being uninstalled there: nothing of that workspace is kept.
      if (!(await isInstalled(link.workspace))) return store.links.delete(link);
      await forgetPrompt(link);
      if (link.purpose === 'assistant') for (const lane of await store.turns.unpark(link)) dispatcher.wake(lane);
      await messenger.postDirect(link, buildReceipt(link.accountName, link.purpose), 'notice');
    },
    onEnded: forgetPrompt,
    withLock,
    ...counts,
    http,
    now,
    log,
  });
}
