/** Somebody in Slack. `team` is the enterprise id where there is one, else the team id: ids are unique within that. */
export type Person = { team: string; user: string };

export function toPersonKey(person: Person): string {
  return `${person.team}:${person.user}`;
}
