/** What the blocks need of the workspace around them. */
import type { Json } from '../../../slack/records.ts';
import type { Entry } from '../../../slack/view-values.ts';

export type Option = { text: string; description: string | undefined; value: string; group: string | undefined };

/** A file from this computer, on its way to Slack: its bytes in base64. */
export type Upload = { name: string; content: string };

export type BlockContext = {
  /** The name of a person, an app or a channel. */
  names(id: string): string | undefined;
  /** Who can be picked in selects of people. */
  people: { id: string; name: string }[];
  act(action: { blockId?: string; actionId: string; choose?: Entry }): Promise<void>;
  /** Of modals: */
  submit(values: Record<string, Entry>): Promise<void>;
  /** Tells what is entered so far, which the app sees with the next action and an update keeps. */
  fill(values: Record<string, Entry>): Promise<void>;
  close(): void;
  search(blockId: string, actionId: string, typed: string): Promise<Option[]>;
  /** Returns the file as Slack has it; undefined where it was refused, which the person was told. */
  upload(file: Upload): Promise<Json | undefined>;
  /** What is wrong with the entries, by block id. */
  errors: Record<string, string>;
};
