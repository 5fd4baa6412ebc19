/** Keeps the newest message in view for whoever is at the end of a list; leaves everybody else where they read. */
export type Scrolling = { before(): void; after(): void };

const NEAR_PX = 40;

/** Lists are `.scroller`, with what they show in `data-place`. */
export function createScrolling(root: HTMLElement): Scrolling {
  let away = new Set<string>();
  const lists = () => root.querySelectorAll<HTMLElement>('.scroller');
  const isAway = (list: HTMLElement) => list.scrollHeight - list.scrollTop - list.clientHeight > NEAR_PX;
  return {
    before() {
      away = new Set([...lists()].filter(isAway).map((list) => list.dataset.place ?? ''));
    },
    after() {
      for (const list of lists()) if (!away.has(list.dataset.place ?? '')) list.scrollTop = list.scrollHeight;
    },
  };
}
