import type { StoreName } from './cluster.ts';
import type { Verdict } from './verdict.ts';

export type ScenarioOptions = {
  store: StoreName;
  seed: number;
  /** How often: of what, is the scenario's own. */
  count: number;
  /** Messages per second. */
  rate: number;
  /** Where replicas die. */
  leaseSeconds: number;
  /** Whether Slack reaches the app over Socket Mode. Then nothing is between them, and no delivery comes twice or late. */
  isSocketMode?: boolean;
  /** Where to keep what the replicas log. */
  logFolder?: string | undefined;
  /** Shows how far it is. */
  progress(line: string): void;
};

/**
 * The app's default lease, for where nothing dies: there a machine that is busy for two seconds should not be taken for a
 * dead replica.
 */
export const USUAL_LEASE_SECONDS = 10;

/** Where no process dies, and no store is away. */
export const UNINTERRUPTED = { cluster: { leaseSeconds: USUAL_LEASE_SECONDS }, isUninterrupted: true } as const;

export type Scenario = {
  /** Also the name of the option that says how often. */
  name: string;
  about: string;
  /** How often by default, where it applies to this store: the figures that the app is judged by. */
  counts: Partial<Record<StoreName, number>>;
  run(options: ScenarioOptions): Promise<Verdict>;
};
