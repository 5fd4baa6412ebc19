import type { Person } from '../conversation/question.ts';
import type { Finding } from '../doctor/check.ts';
import type { LinkKey } from '../identity/account-link.ts';
import { createIdentity, type Identity, type IdentityOptions } from '../identity/identity.ts';
import { createLeavers, type Leavers } from '../identity/leavers.ts';
import { textsOf } from '../languages/texts.ts';
import type { Log } from '../log.ts';
import { UnknownWorkspaceError } from '../slack/installation.ts';
import { createDescribePerson } from '../slack/people.ts';
import type { SignInClicks } from '../slack/sign-in-clicks.ts';
import { createSignInPrompts } from '../slack/sign-in-prompts.ts';
import { buildReceipt } from '../slack/views/sign-in.ts';
import type { Services } from './services.ts';
import { toSignInValues } from './sign-in-values.ts';

const loadChecks = () => import('../doctor/checks/sign-in.ts');

type IdentityHooks = Pick<IdentityOptions, 'onRefresh' | 'onSignIn'> & {
  /** A sign-in of this person has begun or ended. */
  onChanged(person: Person): void;
  /** Updates the message or window in which the person clicked *Sign in*. */
  settleClick: SignInClicks['settle'];
  /** The commands that waited for an administrator's sign-in, as functions that begin them. */
  takeWaiting(person: Person): Promise<(() => void)[]>;
};

/** Sign-in with its pages, and access tokens. A completed sign-in wakes the questions that waited for it. */
export function connectIdentity(
  services: Omit<Services, 'identity' | 'leavers' | 'scheduling'>,
  hooks: IdentityHooks,
): Identity {
  const { config, http, log, messenger, people, findInstallation, usage, now } = services;
  const { store, dispatcher, withLock } = services.backend;
  const claims = createSignInPrompts({ ...store, now });
  /** After a sign-in or its end, the next question may prompt again. */
  const forgetPrompt = async (key: LinkKey) => {
    if (key.purpose !== 'assistant') return;
    await claims.release(key).catch((error: unknown) => log.warn({ err: error }, 'sign-in prompt not released'));
  };
  const settle = async (key: LinkKey) => {
    await forgetPrompt(key);
    hooks.onChanged(key);
  };
  const takeWaiting = (person: Person) =>
    hooks.takeWaiting(person).catch((error: unknown) => {
      log.warn({ err: error }, 'commands that waited for the sign-in not carried out');
      return [];
    });
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
    describePerson: createDescribePerson(services),
    languageOf: ({ user }, workspace) => people.languageSoon(workspace, user),
    defaultLanguage: config.DEFAULT_LANGUAGE,
    async onLinked({ link }) {
      // The app was uninstalled during the sign-in: keep nothing of that workspace.
      if (!(await isInstalled(link.workspace))) return store.links.delete(link);
      await settle(link);
      const questions = link.purpose === 'assistant' ? await store.turns.parked(link) : [];
      const prompts = questions.flatMap(({ prompt }) => prompt ?? []);
      if (link.purpose === 'assistant') {
        usage.signIn('finished', link);
        for (const lane of await store.turns.unpark(link)) dispatcher.wake(lane);
      }
      const commands = link.purpose === 'admin' ? await takeWaiting(link) : [];
      for (const begin of commands) begin();
      const texts = textsOf(await people.language(link.workspace, link.user));
      await Promise.all([
        messenger.postDirect(link, buildReceipt(link.accountName, link.purpose, texts), 'notice'),
        hooks.settleClick(link, { prompts, goesOn: commands.length > 0 }, texts),
      ]);
    },
    inBackground: services.background.start,
    onEnded: settle,
    withLock,
    ...hooks,
    http,
    now,
    log,
  });
}

/** Deletes the records of people who have left Slack. */
export function connectLeavers({
  backend,
  people,
  identity,
  now,
  log,
}: Omit<Services, 'leavers' | 'scheduling'>): Leavers {
  const { store, dispatcher } = backend;
  return createLeavers({
    ...store,
    unlink: identity.linkFlow.unlink,
    async dropQuestions(person, workspace) {
      await store.schedules.change(person, (known) =>
        known?.workspace === workspace ? { ...known, questions: [] } : undefined,
      );
      for (const turn of await store.turns.parked(person)) {
        if (turn.question.workspace !== workspace) continue;
        if (await store.turns.end(turn.id, 'cancelled')) dispatcher.wake(turn.lane);
      }
    },
    async hasLeft(workspace, user) {
      const { hasLeft } = await people.profile(workspace, user, { isFresh: true, importance: 'extra' });
      return hasLeft;
    },
    now,
    log,
  });
}

const CHECK_EVERY_MS = 3_600_000;

/** Delayed, because the start has more urgent work. */
const FIRST_CHECK_AFTER_MS = 150;

/**
 * Checks soon after the start, and every hour, whether people can sign in with the configured values: secrets expire, and
 * a refused client or address shows only in people's browsers. Logs the findings of the doctor when they change.
 * `onChecked` gets the names of the wrong variables.
 */
export function startSignInChecks(
  { config, http, log }: Pick<Services, 'config' | 'http' | 'log'>,
  onChecked: (wrong: string[]) => void,
): { stop(): void } {
  let logged = '';

  async function check(): Promise<void> {
    try {
      const { lookAtSignIn } = await loadChecks();
      const findings = await lookAtSignIn({ config, http });
      const wrong = findings.flatMap(({ level, variable }) => (level === 'error' && variable ? [variable] : []));
      onChecked(wrong);
      const found = JSON.stringify(findings);
      if (found !== logged) logFindings(findings, log);
      logged = found;
    } catch (error) {
      log.warn({ err: error }, 'sign-in check failed');
    }
  }

  const first = setTimeout(check, FIRST_CHECK_AFTER_MS).unref();
  const timer = setInterval(check, CHECK_EVERY_MS).unref();
  return {
    stop() {
      clearTimeout(first);
      clearInterval(timer);
    },
  };
}

function logFindings(findings: Finding[], log: Log): void {
  for (const { level, variable, sentence } of findings) {
    if (level === 'ok') continue;
    if (variable) log.error({ variable, sentence }, 'sign-in will fail: a value is wrong');
    else log.warn({ sentence }, 'sign-in not checked');
  }
  log.info({ looked: findings.length }, 'sign-in looked at');
}
