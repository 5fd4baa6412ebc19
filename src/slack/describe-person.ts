import { LRUCache } from 'lru-cache';
import type { Texts } from '../languages/english.ts';
import type { Uses } from './services.ts';

/**
 * How a person is named where they have to recognise themselves, such as `Ana Alvarez (@ana) in Acme`. The handle is
 * unique in the workspace. Throws a TransientError if Slack cannot be asked for the person.
 */
export type DescribePerson = (person: { user: string }, workspace: string, texts: Texts) => Promise<string>;

const TTL_MS = 3_600_000;

const MAX_WORKSPACES = 1_000;

type Used = Uses<'people' | 'call' | 'findInstallation'>;

export function createDescribePerson({ people, call, findInstallation }: Used): DescribePerson {
  const names = new LRUCache<string, string>({ max: MAX_WORKSPACES, ttl: TTL_MS });

  /** Undefined if Slack cannot be asked: the person's own name matters more. */
  async function nameWorkspace(workspace: string): Promise<string | undefined> {
    const known = names.get(workspace);
    if (known !== undefined) return known;
    try {
      const { botToken } = await findInstallation(workspace);
      // Not team.info: that needs a scope of its own.
      const { team } = await call('auth.test', botToken, {});
      if (team) names.set(workspace, team);
      return team;
    } catch {
      return undefined;
    }
  }

  return async ({ user }, workspace, { pages }) => {
    const [{ name, handle }, where] = await Promise.all([people.profile(workspace, user), nameWorkspace(workspace)]);
    const person = `${name} (@${handle})`;
    return where ? pages.personIn(person, where) : person;
  };
}
