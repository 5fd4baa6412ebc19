export type ChatRoute = { segment: string; isStream: boolean };

export type ChatRoutes = {
  first(): ChatRoute;
  /** Where to ask instead, after a refusal that says that the operation is not offered there. */
  next(route: ChatRoute, status: number, reused: boolean): ChatRoute | undefined;
  /** This route answers: later questions begin with it. */
  remember(route: ChatRoute): void;
};

/** Refusals of the path, the method or the media type: nothing was processed. */
const NOT_OFFERED = [404, 405, 406, 415, 501];

const CHAT: ChatRoute = { segment: 'chat', isStream: false };

/** How long it is believed that no stream is offered, in ms: one wrong refusal must not end streaming for good. */
const CHAT_MEMORY_MS = 60 * 60 * 1000;

/** The ways to ask, best first: the stream, in the contract's spelling and in the one that deployments use, then chat. */
export function createChatRoutes(streamSegment: string | undefined, now: () => number): ChatRoutes {
  const routes = [...toSpellings(streamSegment).map((segment) => ({ segment, isStream: true })), CHAT];
  let known: { route: ChatRoute; until: number } | undefined;

  function next(route: ChatRoute, status: number, reused: boolean): ChatRoute | undefined {
    if (!NOT_OFFERED.includes(status)) return undefined;
    // A route that has answered before exists: it is the conversation that is gone.
    if (status === 404 && reused && route === known?.route) return undefined;
    return routes[routes.indexOf(route) + 1];
  }

  function isKnown(): boolean {
    return known !== undefined && now() < known.until;
  }

  return {
    first: () => (isKnown() ? known?.route : undefined) ?? routes[0] ?? CHAT,
    next,
    remember: (route) => {
      if (known?.route === route && isKnown()) return;
      known = { route, until: route.isStream ? Number.POSITIVE_INFINITY : now() + CHAT_MEMORY_MS };
    },
  };
}

function toSpellings(segment: string | undefined): string[] {
  if (segment === undefined) return [];
  if (segment.toLowerCase() !== 'chatoverstream') return [segment];
  return [segment, segment === 'chatOverStream' ? 'chatoverstream' : 'chatOverStream'];
}
