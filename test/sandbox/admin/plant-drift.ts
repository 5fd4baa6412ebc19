import type { Sandbox } from '../sandbox.ts';
import { type Allocation, creditsOf, withCredits, withRules } from './model.ts';
import { buildAllocation, oidOf, SEED_ENVIRONMENTS } from './seeds.ts';

export const [PRODUCTION = '', MAKERS = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);

const NEW_LAB = '44444444-0000-4000-8000-000000000004';

const ADDED = 35_000;

/** What somebody does in a console, past the app: returns it in words. Can be done again. */
export function plantDrift({ admin }: Sandbox): string[] {
  const { allocations, environments } = admin.state;
  const allocation = allocations.get(PRODUCTION) as Allocation;
  const before = creditsOf(allocation)?.allocated ?? 0;
  const after = before + ADDED;
  allocations.set(PRODUCTION, withRules(withCredits(allocation, after), { Deny: false }));
  if (!environments.some(({ name }) => name === NEW_LAB)) {
    environments.push({ name: NEW_LAB, displayName: 'New lab', ownerId: oidOf('ben') });
  }
  const rules = { Alert: true, TenantPool: true, PayGo: false, Deny: true };
  allocations.set(NEW_LAB, buildAllocation(NEW_LAB, 0, rules));
  return [
    `Contoso Production gets ${toWords(after)} credits instead of ${toWords(before)}, and goes on when they are used up.`,
    'A new environment, “New lab”, may draw on the credits of the whole tenant.',
  ];
}

function toWords(credits: number): string {
  return credits.toLocaleString('en-US');
}
