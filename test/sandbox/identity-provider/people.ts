export type Person = {
  /** The key of the sandbox's people, and the `sub` of their tokens. */
  readonly key: string;
  readonly name: string;
  readonly preferredUsername: string;
  /** The directory's id of the person, as the `oid` claim. */
  readonly oid: string;
  readonly roles: readonly string[];
  /** Of another organisation: the tenant of this person's account, as the `tid` claim. */
  readonly tenant?: string;
};

export const PEOPLE: ReadonlyMap<string, Person> = new Map(
  [
    buildPerson('ana', 'Ana Alvarez', []),
    buildPerson('ben', 'Ben Brandt', []),
    buildPerson('kim', 'Kim Kato', ['admin']),
    buildPerson('lee', 'Lee Larsen', ['admin']),
    buildPerson('lena', 'Lena Lindner', []),
    { ...buildPerson('zoe', 'Zoe Zhang', []), tenant: '99999999-8888-4777-8666-555555555555' },
  ].map((person) => [person.key, person]),
);

function buildPerson(key: string, name: string, roles: readonly string[]): Person {
  const oid = `00000000-0000-4000-8000-${Buffer.from(key).toString('hex').padStart(12, '0')}`;
  return { key, name, preferredUsername: `${key}@example.com`, oid, roles };
}
