import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { runToEnd, startChild } from '@assistant-bridge/sandbox/child-processes.ts';
import { watchAcknowledgements } from '../acknowledgements.ts';
import type { Replica } from '../replica.ts';
import { type Scenario, USUAL_LEASE_SECONDS } from '../scenario.ts';
import { underLoad } from '../under-load.ts';
import { atMost, none, times } from '../verdict.ts';

const CONNECTIONS = 200;

/** An honest day's: what is measured is what the others take. */
const MESSAGES_PER_SECOND = 10;

const GROWTH_LIMIT_MB = 100;
const P99_LIMIT_MS = 250;

export const flood: Scenario = {
  name: 'flood',
  about: '200 connections without credentials pipeline, flood or never read, for so many seconds',
  counts: { redis: 60, sqlite: 60 },
  run: (options) => {
    const setting = {
      cluster: { leaseSeconds: USUAL_LEASE_SECONDS, replicas: 1 },
      load: { rate: Math.min(options.rate, MESSAGES_PER_SECOND), threads: 100, threadLength: 3 },
      isUninterrupted: true,
    };
    return underLoad(options, setting, async ({ balancer, replicas }, _, progress) => {
      const [replica] = replicas;
      if (!replica) throw new Error('There is no replica.');
      // What it needs for honest requests is there.
      await sleep(3_000);
      const before = await readResident(replica);
      const acknowledgements = watchAcknowledgements(balancer);
      const attacker = startFlood(replica);
      let most = before;
      for (let second = 1; second <= options.count; second++) {
        await sleep(1_000);
        most = Math.max(most, await readResident(replica));
        progress(`${second} s, ${Math.round(most)} MB`);
      }
      attacker.kill('SIGKILL');
      return ({ unacknowledged }) => {
        const { facts, criteria } = acknowledgements.judge(P99_LIMIT_MS);
        return {
          facts: [...facts, ['resident memory', `${Math.round(before)} MB, then ${Math.round(most)} MB at most`]],
          criteria: [
            none('never acknowledged', times(unacknowledged, 'one')),
            { ...atMost('growth of resident memory', most - before, GROWTH_LIMIT_MB, 'MB'), isTiming: false },
            ...criteria,
          ],
        };
      };
    });
  },
};

/** In a process of its own that gives way to others: attackers sit on other machines, and the Slack of this run does not. */
function startFlood({ port }: Replica): ChildProcess {
  const script = new URL('../flood-clients.ts', import.meta.url).pathname;
  return startChild('nice', ['-n', '10', process.execPath, script, String(port), String(CONNECTIONS)], {
    stdio: 'inherit',
  });
}

/** In megabytes, with what is only waiting to be collected. */
async function readResident({ pid }: Replica): Promise<number> {
  const { stdout } = await runToEnd('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout) / 1024;
}
