import type { Json } from '@assistant-bridge/sandbox/slack/records.ts';
import type { Place } from './shapes.ts';

/** The envelope of an event is put around it, as for `place` and with `around`; all else stands as it is sent. */
type Payload = { event: Json; place?: Place; around?: Json } | { body: Json };

/** Payloads by what they are, and what the app makes of them. */
export type Shapes = Record<
  string,
  Payload & {
    headers?: Record<string, string>;
    /** The bodies that came before it. */
    before?: Json[];
    /** How the question ended that came before it. */
    ended?: string;
    /**
     * What happens, in words of intake-world.ts: `question`, `known question`, `revised question`, `cancelled`, `stopped`,
     * an announcement, or a method of Slack that is called. Without it the payload is acknowledged, and that is all.
     */
    comes?: string | string[];
    /** Fields of the question that is stored. Nothing else may happen. */
    question?: Json;
    /** A part of the acknowledgement; else it is empty. */
    reply?: string;
    /** A part of what an operator reads in the log; else nothing from `warn` upwards. */
    complaint?: string;
    /** 200 unless the app refuses it. */
    status?: number;
  }
>;
