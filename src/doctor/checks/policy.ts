import { isOver, listClasses, type Policy } from '../../policy/policy.ts';
import { type Check, count, speak } from '../check.ts';

/** The notice before an exception ends, so that somebody can prolong it. */
const SOON_DAYS = 7;

const DAY_MS = 24 * 60 * 60 * 1000;

const { words, say } = speak({
  stated: '✓ Policy {revision}: {entries}, {classes}.',
  empty: '✓ The policy is empty, so nothing is governed. An administrator begins with /assistant-admin review.',
  ending:
    '! {exceptions} of the policy {end} within a week. Administrators see them with /assistant-admin policy ending.',
});

/** The stored policy. An empty policy is no error if there is nothing to govern. */
export const POLICY: Check = {
  name: 'The policy',
  section: 'Policy',
  words,
  async look({ config: { ADMIN_API_BASE_URL }, store }) {
    const { reader } = await store();
    if (!reader) return undefined;
    const { policy } = await reader.policy.read();
    const { revision } = policy;
    const entries = Object.keys(policy.entries).length;
    if (entries === 0) return ADMIN_API_BASE_URL ? say('empty') : undefined;
    const stated = { revision, entries: count(entries, 'entry', 'entries') };
    const ending = countEnding(policy, Date.now());
    return [
      say('stated', { ...stated, classes: count(listClasses(policy).length, 'class', 'classes') }),
      ...(ending > 0
        ? [say('ending', { exceptions: count(ending, 'exception'), end: ending === 1 ? 'ends' : 'end' })]
        : []),
    ];
  },
};

function countEnding({ entries }: Policy, now: number): number {
  const days = Object.values(entries).flatMap(({ exception }) => (exception ? [exception.until] : []));
  return days.filter((until) => !isOver(until, now) && isOver(until, now + SOON_DAYS * DAY_MS)).length;
}
