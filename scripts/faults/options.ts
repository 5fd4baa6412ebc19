import { UserError } from '../../src/errors.ts';
import type { StoreName } from '../../test/faults/cluster.ts';
import type { Scenario } from '../../test/faults/scenario.ts';
import { SCENARIOS } from '../../test/faults/scenarios.ts';
import { toWholeNumber, type Values } from '../run-command.ts';

export type FaultsOptions = {
  isList: boolean;
  runs: { scenario: Scenario; store: StoreName; count: number }[];
  seed: number;
  /** Messages per second. */
  rate: number;
  leaseSeconds: number;
  isSocketMode: boolean;
  logFolder: string | undefined;
};

const STORES = ['redis', 'sqlite'] as const;

export const USAGE = `npm run faults -- [options]

  --list              lists the scenarios, and how often each is played by default
  --only <names>      only these scenarios, separated by commas
  --store <name>      redis or sqlite (both)
  --<name> <n>        how often a scenario is played, such as --kills 1000
  --seed <n>          repeats an earlier run
  --rate <n>          messages per second (60)
  --lease <n>         LEASE_SECONDS of the replicas (4)
  --socket            over Socket Mode; faults of HTTP requests then have no effect
  --logs <folder>     keeps what the replicas log`;

const MAX = 1_000_000_000;

const NAMED = {
  list: { type: 'boolean', default: false },
  only: { type: 'string', default: '' },
  store: { type: 'string', default: STORES.join() },
  seed: { type: 'string', default: String(Math.floor(Math.random() * MAX)) },
  rate: { type: 'string', default: '60' },
  lease: { type: 'string', default: '4' },
  socket: { type: 'boolean', default: false },
  logs: { type: 'string' },
} as const;

export const OPTIONS: typeof NAMED = {
  ...Object.fromEntries(SCENARIOS.map(({ name }) => [name, { type: 'string' }])),
  ...NAMED,
};

/** Throws a UserError. `values`: with how often each scenario is played, by its name. */
export function toFaultsOptions(values: Values<typeof OPTIONS>): FaultsOptions {
  const given: Record<string, string | boolean | undefined> = values;
  return {
    isList: values.list,
    runs: readRuns(values.only, values.store, (name) => given[name]),
    seed: toWholeNumber('seed', values.seed, 0, MAX),
    rate: toWholeNumber('rate', values.rate, 1, MAX),
    leaseSeconds: toWholeNumber('lease', values.lease, 1, MAX),
    isSocketMode: values.socket,
    logFolder: values.logs,
  };
}

function readRuns(only: string, store: string, readCount: (name: string) => string | boolean | undefined) {
  const names = only.split(',').filter(Boolean);
  const unknown = names.find((name) => SCENARIOS.every((scenario) => scenario.name !== name));
  if (unknown) throw new UserError('no_scenario', `There is no scenario ${unknown}; --list lists them.`);
  const stores = STORES.filter((name) => store.split(',').includes(name));
  if (stores.length === 0) throw new UserError('no_store', `--store is redis or sqlite, not ${store}.`);
  const chosen = SCENARIOS.filter(({ name }) => names.length === 0 || names.includes(name));
  return chosen.flatMap((scenario) =>
    stores.flatMap((name) => {
      const usual = scenario.counts[name];
      const count = readCount(scenario.name);
      if (!usual) return [];
      return { scenario, store: name, count: toWholeNumber(scenario.name, String(count ?? usual), 1, MAX) };
    }),
  );
}
