/** What every part of the page has at hand: what is seen, where, and the ways to do something about it. */
import type { ShownMessage, ShownView, Sight } from '../sight.ts';
import type { BlockContext } from './blocks/context.ts';
import type { Place } from './place.ts';

export type Desk = {
  sight: Sight;
  place: Place;
  /** Of the person who looks, as an IANA name. */
  timeZone: string;
  /** The `data-key` of the message that is being edited. */
  editing: string | undefined;
  edit(key: string | undefined): void;
  focusComposer(pane: 'conversation' | 'thread'): void;
  go(to: Partial<Place>): void;
  /** Of the list with this `data-place`. */
  scrollToEnd(place: string): void;
  /** Resolves with undefined where it was not allowed; the person is told why. */
  do<Result>(verb: string, given: object): Promise<Result | undefined>;
  tell(sentence: string): void;
  context(holder: ShownMessage | ShownView): BlockContext;
};
