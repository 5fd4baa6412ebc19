import type { MeasuredProcess } from './measured-process.ts';
import type { MeasuredRedis } from './measured-redis.ts';

/** Who answers the questions: the app, as one process or as several replicas, or a bot that it is compared with. */
export type Contender = {
  kind: 'bare bot' | 'plain bot' | 'bridge';
  name: string;
  /** Where Slack posts its events: to each in turn. */
  eventsUrls: string[];
  processes: MeasuredProcess[];
  redis?: MeasuredRedis | undefined;
  stop(): Promise<void>;
};

/** Adds to an error whose it is, and what they last printed. */
export async function withLastLines<T>({ name, processes }: Contender, work: Promise<T>): Promise<T> {
  return work.catch((cause: Error) => {
    const lines = processes.map((process) => process.lastLines()).join('\n');
    throw new Error(`${name}: ${cause.message}\n${lines}`, { cause });
  });
}
