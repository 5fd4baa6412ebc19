import type { RunningTurns } from '../delivery/running-turns.ts';
import type { Parts } from './parts.ts';

/** What this process remembers or runs, and another replica knows better by now. */
export function hearReplicas({ backend, channels, people }: Parts, running: RunningTurns): void {
  const { announcements } = backend;
  announcements.listen('installation-changed', channels.forget);
  announcements.listen('turn-ended', running.abort);
  announcements.listen('person-changed', (person) => {
    const [workspace = '', user = ''] = person.split(':');
    people.forget(workspace, user);
  });
}
