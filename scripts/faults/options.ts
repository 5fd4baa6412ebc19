import { parseArgs } from 'node:util';
import type { StoreName } from '../../test/faults/cluster.ts';
import type { Scenario } from '../../test/faults/scenario.ts';
import { SCENARIOS } from '../../test/faults/scenarios.ts';
import { readWholeNumber } from '../read-options.ts';

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

/** Throws an Error with a sentence for people. */
export function readOptions(args: string[]): FaultsOptions {
  const counts = Object.fromEntries(SCENARIOS.map(({ name }) => [name, { type: 'string' } as const]));
  const { values } = parseArgs({
    args,
    options: {
      ...counts,
      list: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      store: { type: 'string', default: STORES.join() },
      seed: { type: 'string', default: String(Math.floor(Math.random() * MAX)) },
      rate: { type: 'string', default: '60' },
      lease: { type: 'string', default: '4' },
      socket: { type: 'boolean', default: false },
      logs: { type: 'string' },
    },
  });
  const given: Record<string, string | boolean | undefined> = values;
  return {
    isList: values.list,
    runs: readRuns(values.only, values.store, (name) => given[name]),
    seed: readWholeNumber('seed', values.seed, 0, MAX),
    rate: readWholeNumber('rate', values.rate, 1, MAX),
    leaseSeconds: readWholeNumber('lease', values.lease, 1, MAX),
    isSocketMode: values.socket,
    logFolder: values.logs,
  };
}

const MAX = 1_000_000_000;

function readRuns(only: string, store: string, readCount: (name: string) => string | boolean | undefined) {
  const names = only.split(',').filter(Boolean);
  const unknown = names.find((name) => SCENARIOS.every((scenario) => scenario.name !== name));
  if (unknown) throw new Error(`There is no scenario ${unknown}; --list lists them.`);
  const stores = STORES.filter((name) => store.split(',').includes(name));
  if (stores.length === 0) throw new Error(`--store is redis or sqlite, not ${store}.`);
  const chosen = SCENARIOS.filter(({ name }) => names.length === 0 || names.includes(name));
  return chosen.flatMap((scenario) =>
    stores.flatMap((name) => {
      const usual = scenario.counts[name];
      const count = readCount(scenario.name);
      if (!usual) return [];
      return { scenario, store: name, count: readWholeNumber(scenario.name, String(count ?? usual), 1, MAX) };
    }),
  );
}
