/** The way to the sandbox: what somebody sees of it, and what they do there. */
import type { Sight } from '../sight.ts';
import type { Place } from './place.ts';

/** Tells what is seen at this place, now and whenever it changed. Returns a function that ends it. */
export function follow(place: Place, tell: (sight: Sight) => void, lost: (isLost: boolean) => void): () => void {
  const query = new URLSearchParams({ person: place.person, channel: place.channel });
  if (place.thread !== undefined) query.set('thread', place.thread);
  const events = new EventSource(`/events?${query}`);
  events.onmessage = ({ data }) => tell(JSON.parse(data) as Sight);
  events.onopen = () => lost(false);
  // It connects again by itself.
  events.onerror = () => lost(true);
  return () => events.close();
}

/** Does something as a person. Rejects with the sentence that the sandbox has for what Slack does not allow. */
export async function act<Result>(person: string, verb: string, given: object): Promise<Result> {
  const asking = fetch('/do', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...given, person, verb }),
  });
  const response = await asking.catch(() => {
    throw new Error('The simulation does not answer. Is it still running?');
  });
  const body = (await response.json()) as { result?: Result; error?: string };
  if (body.error !== undefined) throw new Error(body.error);
  return body.result as Result;
}

/** Opens a link as this person, in a new tab. */
export function openLink(person: string, to: string): void {
  window.open(`/open?${new URLSearchParams({ person, to })}`, '_blank', 'noopener');
}
