import { readRequestId } from '../admin/admin-trace.ts';

/** The ids that the service gave to requests of one piece of work, in order, for whoever looks for them in its logs. */
export type RequestIds = {
  readonly ids: readonly string[];
  /** Waits for the answer, and keeps its id; that of an error, too. */
  note<T>(call: Promise<T>): Promise<T>;
};

export function collectRequestIds(): RequestIds {
  const ids: string[] = [];
  const keep = (id: string | undefined) => {
    if (id !== undefined) ids.push(id);
  };
  return {
    ids,
    async note(call) {
      try {
        const answer = await call;
        keep(readRequestId(answer));
        return answer;
      } catch (error) {
        keep(readRequestId(error));
        throw error;
      }
    },
  };
}
