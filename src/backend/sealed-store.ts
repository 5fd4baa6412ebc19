// Encrypts questions, answers and accounts before they are stored. Ids, times and codes stay readable: the stores search
// by them.
import type { Question } from '../conversation/question.ts';
import type { ScheduledQuestion, ScheduleStore, Schedules } from '../conversation/schedules.ts';
import type { QuestionContent, TurnStore } from '../conversation/stores.ts';
import type { Turn } from '../conversation/turn.ts';
import type { AccountLink, ClaimStore, LinkStore, NewLink } from '../identity/account-link.ts';
import type { TokenVault } from '../identity/token-vault.ts';
import { isKeptInTheOpen } from './expiring.ts';
import type { Store } from './store.ts';

/** Called with the error for each text that no key opens. */
export type OnUnreadable = (kind: Kind, error: unknown) => void;

type Kind = 'turn' | 'link' | 'value' | 'schedule';

/** Each text is bound to its record, so that it can be opened only there. `tryOpen`: undefined if no key opens it. */
type Sealer = Pick<TokenVault, 'seal' | 'isNewest'> & {
  tryOpen(kind: Kind, sealed: string | undefined, associated: string): string | undefined;
  /** The last sealed text of a question: a turn that is saved again with the same words is not encrypted again. */
  lately: WeakMap<Turn['question'], Pick<Turn, 'id' | 'outcome' | 'details'> & { sealed: string }>;
};

/** The store with all texts and accounts sealed by the vault: SQLite, Redis and backups have only encrypted text. */
export function sealStore(store: Store, vault: TokenVault, onUnreadable: OnUnreadable): Store {
  const { links, personal, once } = store;
  const sealer: Sealer = {
    ...vault,
    lately: new WeakMap(),
    tryOpen(kind, sealed, associated) {
      try {
        return sealed && vault.open(sealed, associated);
      } catch (error) {
        onUnreadable(kind, error);
        return undefined;
      }
    },
  };
  const turns = sealTurns(store.turns, sealer);
  const readTurns: Store['personal']['turns'] = async (person) =>
    (await personal.turns(person)).map((turn) => openTurn(turn, sealer));
  return {
    ...store,
    turns,
    links: sealLinks(links, sealer),
    personal: { ...personal, turns: readTurns },
    once: sealOnce(once, sealer),
    schedules: sealSchedules(store.schedules, sealer),
  };
}

function sealTurns(turns: TurnStore, sealer: Sealer): TurnStore {
  const open = (turn: Turn) => openTurn(turn, sealer);
  return {
    ...turns,
    accept: (turn, ...rest) => turns.accept(sealTurn(turn, sealer), ...rest),
    get: async (id) => ifThere(await turns.get(id), open),
    head: async (lane) => ifThere(await turns.head(lane), open),
    inLane: async (lane) => (await turns.inLane(lane)).map(open),
    async takeHead(...args) {
      const taken = await turns.takeHead(...args);
      return taken && { ...taken, turn: open(taken.turn) };
    },
    save: (turn, changes, mayBeLost) => turns.save(sealTurn(turn, sealer), changes, mayBeLost),
    revise(id, { webSearch, ...words }) {
      const said: QuestionContent & Pick<Turn, 'sealed'> = {
        ...NO_WORDS,
        webSearch,
        sealed: sealWords(id, words, sealer),
      };
      return turns.revise(id, said);
    },
    parked: async (person) => (await turns.parked(person)).map(open),
    deadLetters: async (limit) => (await turns.deadLetters(limit)).map(open),
  };
}

/** `outcome` and `details`: a turn has them once its question was asked. */
type Words = Omit<QuestionContent, 'webSearch'> & Pick<Question, 'fingerprint'> & Pick<Turn, 'outcome' | 'details'>;

const NO_WORDS = { text: '', links: [], unusable: [], uploads: undefined, fingerprint: undefined };

function sealTurn({ outcome, details, sealed, ...turn }: Turn, sealer: Sealer): Turn {
  const { text, links, unusable, uploads, fingerprint } = turn.question;
  const hasWords = text || links.length + unusable.length > 0 || uploads || fingerprint || outcome || details;
  // A sealed text that could not be opened stays as it is until the turn is done.
  const unopened = turn.stage === 'done' ? undefined : sealed;
  const known = sealer.lately.get(turn.question);
  const isKnown = known?.id === turn.id && known.outcome === outcome && known.details === details;
  const sealNow = () => sealWords(turn.id, { text, links, unusable, uploads, fingerprint, outcome, details }, sealer);
  const kept = hasWords ? (isKnown ? known.sealed : sealNow()) : unopened;
  if (hasWords && kept) sealer.lately.set(turn.question, { id: turn.id, outcome, details, sealed: kept });
  return { ...turn, question: { ...turn.question, ...NO_WORDS }, ...(kept !== undefined && { sealed: kept }) };
}

function openTurn(turn: Turn, sealer: Sealer): Turn {
  const { sealed, ...bare } = turn;
  const opened = sealer.tryOpen('turn', sealed, `turn:${turn.id}`);
  if (sealed === undefined || opened === undefined) return turn;
  const { outcome, details, ...words }: Words = JSON.parse(opened);
  const question = { ...turn.question, ...words };
  if (sealer.isNewest(sealed)) sealer.lately.set(question, { id: turn.id, outcome, details, sealed });
  return { ...bare, ...(outcome && { outcome }), ...(details && { details }), question };
}

/** Leaves out empty fields: a done turn is kept for a month, and mostly has only its details. See NO_WORDS. */
function sealWords(id: string, words: Words, { seal }: Sealer): string {
  const there = Object.entries(words).filter(
    ([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0),
  );
  return seal(JSON.stringify(Object.fromEntries(there)), `turn:${id}`);
}

type Account = Pick<AccountLink, 'accountName' | 'account'>;

function sealLinks(links: LinkStore, sealer: Sealer): LinkStore {
  const open = (link: AccountLink) => openLink(link, sealer);
  return {
    ...links,
    get: async (key) => ifThere(await links.get(key), open),
    save: (link, expected) => links.save(sealLink(link, sealer), expected),
    async list(cursor) {
      const page = await links.list(cursor);
      return { ...page, links: page.links.map(open) };
    },
  };
}

function sealLink({ accountName, account, sealed, ...link }: NewLink, { seal }: Sealer): NewLink {
  const known: Account = { accountName, account };
  const isKnown = Object.values(known).some((fact) => fact !== undefined);
  const kept = isKnown ? seal(JSON.stringify(known), toLinkText(link)) : sealed;
  return kept === undefined ? link : { ...link, sealed: kept };
}

function openLink(link: AccountLink, { tryOpen }: Sealer): AccountLink {
  const { sealed, ...bare } = link;
  const opened = tryOpen('link', sealed, toLinkText(link));
  if (opened === undefined) return link;
  const account: Account = JSON.parse(opened);
  return { ...bare, ...account };
}

/** Differs from the text that the tokens are bound to: see token-vault.ts. */
function toLinkText({ team, user, purpose }: Pick<AccountLink, 'team' | 'user' | 'purpose'>): string {
  return `account:${team}:${user}:${purpose}`;
}

function sealOnce(once: ClaimStore, sealer: Sealer): ClaimStore {
  const seal = (key: string, value: string) => (isKeptInTheOpen(key) ? value : sealer.seal(value, `once:${key}`));
  const open = (key: string, stored: string | undefined) =>
    isKeptInTheOpen(key) ? stored : sealer.tryOpen('value', stored, `once:${key}`);
  return {
    put: (key, value, expiresAt) => once.put(key, seal(key, value), expiresAt),
    async claim(key, value, expiresAt) {
      const held = await once.claim(key, seal(key, value), expiresAt);
      // The claim is held, even if no key opens its value.
      return open(key, held) ?? held;
    },
    replace: (key, toValue, expiresAt) =>
      // A value that no key opens stays as it is.
      once.replace(
        key,
        (stored) => ifThere(open(key, stored), (value) => seal(key, toValue(value))) ?? stored,
        expiresAt,
      ),
    take: async (key) => open(key, await once.take(key)),
    peek: async (key) => open(key, await once.peek(key)),
  };
}

function sealSchedules(schedules: ScheduleStore, { seal, isNewest, tryOpen }: Sealer): ScheduleStore {
  const toEach = (one: Schedules, change: (question: ScheduledQuestion, associated: string) => ScheduledQuestion) => ({
    ...one,
    questions: one.questions.map((each) => change(each, `schedule:${one.person.team}:${one.person.user}:${each.id}`)),
  });
  const open = (one: Schedules): Schedules =>
    toEach(one, (question, associated) => {
      const { sealed } = question;
      const opened = tryOpen('schedule', sealed, associated);
      if (sealed === undefined || opened === undefined) return question;
      return { ...question, content: JSON.parse(opened), sealed: isNewest(sealed) ? sealed : undefined };
    });
  // A sealed text that could not be opened stays as it is.
  const close = (one: Schedules): Schedules =>
    toEach(one, (question, associated) => ({
      ...question,
      content: { ...NO_WORDS, webSearch: question.content.webSearch },
      sealed: question.sealed ?? seal(JSON.stringify(question.content), associated),
    }));
  return {
    get: async (person) => ifThere(await schedules.get(person), open),
    upcoming: async () => (await schedules.upcoming()).map(open),
    async change(person, decide) {
      const changed = await schedules.change(person, (known) => ifThere(decide(ifThere(known, open)), close));
      return ifThere(changed, open);
    },
  };
}

function ifThere<T, R>(found: T | undefined, open: (found: T) => R): R | undefined {
  return found === undefined ? undefined : open(found);
}
