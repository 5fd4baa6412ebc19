import type { Json } from '@assistant-bridge/sandbox/slack/records.ts';

/** One row of the table: a payload, and what the app makes of it. */
export type Shape = {
  shape: string;
  body: Json;
  headers?: Record<string, string>;
  /** What came before it. */
  before?: Json[];
  /**
   * What happens, in words of intake-world.ts: `question`, `known question`, `revised question`, `cancelled`, `stopped`, an announcement, or a
   * method of Slack that is called. Without it the payload is acknowledged, and that is all.
   */
  comes?: string | string[];
  /** Fields of the question that is written down. */
  question?: Json;
  /** A part of the acknowledgement; else it is empty. */
  reply?: string;
  /** A part of what an operator reads in the log; else nothing from `warn` upwards. */
  complaint?: string;
  /** 200 unless the app refuses it. */
  status?: number;
};
