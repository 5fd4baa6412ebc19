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
  return (await request<{ result: Result }>('/do', { ...given, person, verb })).result;
}

/** Posts the body, where there is one. Rejects with the server's own sentence where it has one. */
export async function request<Answer>(path: string, body?: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  const asking = fetch(path, body ? { method: 'POST', headers, body: JSON.stringify(body) } : {});
  const response = await asking.catch(() => {
    throw new Error('The simulation does not answer. Is it still running?');
  });
  const answer = (await response.json()) as Answer & { error?: string };
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer;
}

/** Opens a link as this person, in a new tab. */
export function openLink(person: string, to: string): void {
  window.open(`/open?${new URLSearchParams({ person, to })}`, '_blank', 'noopener');
}
