// What a review leaves behind for the next one: about 60 bytes for each finding that is not in order.

/** Plain values only: stored as JSON. */
export type ReviewSnapshot = {
  schema: 1;
  /** Epoch ms: when the review began. */
  at: number;
  registerHash: string;
  environments: SnapshotEnvironment[];
};

/** The environment's id in lower case, what is remembered of it, and of its agents by their ids. */
type SnapshotEnvironment = [id: string, remembered: Remembered | null, agents: [id: string, remembered: Remembered][]];

/** The state's text; of what cannot be read now, after it, what was last read. */
export type Remembered = [text: string, last?: string];

/** By the findings' keys. */
export function openSnapshot({ environments }: Pick<ReviewSnapshot, 'environments'>): Map<string, Remembered> {
  const remembered = new Map<string, Remembered>();
  for (const [id, own, agents] of environments) {
    if (own !== null) remembered.set(id, own);
    for (const [agent, state] of agents) remembered.set(`${id}\n${agent}`, state);
  }
  return remembered;
}

export function toSnapshotEnvironments(remembered: ReadonlyMap<string, Remembered>): SnapshotEnvironment[] {
  const environments = new Map<string, SnapshotEnvironment>();
  for (const [key, state] of remembered) {
    const [id = '', agent] = key.split('\n');
    const environment: SnapshotEnvironment = environments.get(id) ?? [id, null, []];
    environments.set(id, environment);
    if (agent === undefined) environment[1] = state;
    else environment[2].push([agent, state]);
  }
  return [...environments.values()];
}
