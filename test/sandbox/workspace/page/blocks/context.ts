/** What the blocks need of the workspace around them. */
import type { Entry } from '../../../slack/view-values.ts';

export type Option = { text: string; description: string | undefined; value: string; group: string | undefined };

export type BlockContext = {
  /** The name of a person, an app or a channel. */
  names(id: string): string | undefined;
  locale: string;
  timeZone: string;
  act(action: { blockId?: string; actionId: string; choose?: Entry }): Promise<void>;
  /** Of modals: */
  submit(values: Record<string, Entry>): Promise<void>;
  close(): void;
  search(blockId: string, actionId: string, typed: string): Promise<Option[]>;
  /** What is wrong with the entries, by block id. */
  errors: Record<string, string>;
};
