import type { AnyBlock, HomeView } from '@slack/types';
import { type Person, toPersonKey } from '../conversation/question.ts';
import type { Scheduling } from '../conversation/schedules.ts';
import { TransientError } from '../errors.ts';
import { textsOf } from '../languages/texts.ts';
import { withinTime } from '../time-limit.ts';
import type { Uses } from './services.ts';
import { buildHome, buildHomeWithoutStore, buildOutsiderHome, type PersonCap } from './views/home.ts';
import { isSlackError, patiently, toCallCode } from './web/slack-errors.ts';

/** `homeTeam`: the person's team, if the app is installed for a whole organisation. */
export type HomeOwner = Person & { workspace: string; homeTeam?: string | undefined };

/** A part of the tab. */
export type HomeBlocks = readonly AnyBlock[];

type Needs = Uses<'call' | 'people' | 'links' | 'once' | 'now' | 'log'> & {
  /** The blocks for administrators; none for anybody else. Never throws. */
  adminBlocks(owner: HomeOwner): Promise<HomeBlocks>;
  /** The person's caps of today. Throws StoreUnavailableError. */
  capsOf(person: Person): Promise<readonly PersonCap[]>;
  scheduling: Pick<Scheduling, 'list'>;
  defaultTimeZone: string;
};

/** After a person opened the tab, changes are published for this long. Later, they see them when they open it again. */
const OPENED_FOR_MS = 12 * 3_600_000;

const PATIENCE = { attempts: 3, leastMs: 1_000, longestMs: 10_000, kind: TransientError };

/** The longest wait for Slack's answer about the person or the administrators. After it the tab is shown without it. */
const LOOK_TIMEOUT_MS = 3_000;

export type HomeTab = ReturnType<typeof createHomeTab>;

/** The home tab of each person. `open` and `refresh` never throw: what fails is logged, and shown where possible. */
export function createHomeTab(ports: Needs) {
  const { once, now, log } = ports;

  async function show({ until, hash, ...owner }: Opened): Promise<Opened> {
    return { ...owner, hash: await publish(owner, hash, ports), until };
  }

  async function keep(opened: Opened): Promise<void> {
    await once.put(toKey(opened), JSON.stringify(opened), opened.until);
  }

  function report(error: unknown): void {
    log.warn({ code: toCallCode(error) }, 'home tab not published');
  }

  return {
    /** A person opened the tab. `hash`: of the view that they see; undefined: they see none yet. */
    open: (owner: HomeOwner, hash: string | undefined): Promise<void> =>
      show({ ...owner, hash, until: now() + OPENED_FOR_MS })
        .then(keep)
        .catch(report),
    /** A person clicked in the tab, so it is open, however long ago they opened it. Throws StoreUnavailableError. */
    seen: (owner: HomeOwner, hash: string): Promise<void> => keep({ ...owner, hash, until: now() + OPENED_FOR_MS }),
    /** Something on the tab has changed: publishes it again if the person opened it in the last hours. */
    async refresh(person: Person): Promise<void> {
      try {
        const opened = await once.peek(toKey(person));
        if (opened === undefined) return;
        const shown = await show(JSON.parse(opened));
        // Not `put`: `forget` may have been called meanwhile.
        await once.replace(toKey(person), () => JSON.stringify(shown), shown.until);
      } catch (error) {
        report(error);
      }
    },
    /** Forgets that the person opened the tab: it is published when they open it again. Throws StoreUnavailableError. */
    async forget(person: Person): Promise<void> {
      await once.take(toKey(person));
    },
  };
}

/** Who opened the tab, the hash of the view they saw last, and until when changes are published (epoch ms). */
type Opened = HomeOwner & { hash?: string | undefined; until: number };

/** Returns the hash of what was published. */
async function publish(owner: HomeOwner, hash: string | undefined, ports: Needs): Promise<string | undefined> {
  const show = async (known?: string) => {
    const view = await buildView(owner, ports);
    return ports.call('views.publish', owner.workspace, { user_id: owner.user, view, ...(known && { hash: known }) });
  };
  const attempt = () =>
    show(hash).catch((error: unknown) => {
      if (!isSlackError(error, 'hash_conflict')) throw error;
      // Another view was published since: build it again, so that the last one is up to date.
      return show();
    });
  const { view } = await patiently(attempt, PATIENCE);
  return view?.hash;
}

function toKey(person: Person): string {
  return `home:${toPersonKey(person)}`;
}

async function buildView(owner: HomeOwner, ports: Needs): Promise<HomeView> {
  const { people, links, defaultTimeZone, log } = ports;
  const { team, user, workspace } = owner;
  const texts = textsOf(await people.languageSoon(workspace, user));
  const profile = await withinTime(LOOK_TIMEOUT_MS, people.profile(workspace, user)).catch(() => undefined);
  if (profile?.isMember === false) return buildOutsiderHome(texts);
  const zone = profile ? profile.timeZone : await people.timeZoneSoon(workspace, user);
  try {
    const [link, adminLink, caps, scheduled, adminBlocks] = await Promise.all([
      links.get({ team, user, purpose: 'assistant' }),
      links.get({ team, user, purpose: 'admin' }),
      ports.capsOf({ team, user }),
      ports.scheduling.list({ team, user }),
      withinTime(LOOK_TIMEOUT_MS, ports.adminBlocks(owner), () => []),
    ]);
    return buildHome({
      texts,
      link: link?.sealedTokens ? link : undefined,
      adminLink: adminLink?.sealedTokens ? adminLink : undefined,
      timeZone: { name: zone ?? defaultTimeZone, isDefault: zone === undefined },
      caps,
      scheduled,
      adminBlocks,
    });
  } catch (error) {
    log.warn({ err: error }, 'home tab shown without the account');
    return buildHomeWithoutStore(texts);
  }
}
