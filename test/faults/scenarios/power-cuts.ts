import { mountForgetfulDisk } from '../forgetful-disk.ts';
import { type Scenario, USUAL_LEASE_SECONDS } from '../scenario.ts';
import { cutPower } from '../strikes/cut-power.ts';
import { underLoad } from '../under-load.ts';
import { holds } from '../verdict.ts';

export const powerCuts: Scenario = {
  name: 'power-cuts',
  about:
    'the machine with the store loses its power, and every write that was not flushed; needs root and a loop device',
  counts: { redis: 50, sqlite: 50 },
  async run(options) {
    const disk = await mountForgetfulDisk().catch((error: Error) => error.message);
    if (typeof disk === 'string') return { facts: [], criteria: [holds('the power can be cut', false, disk)] };
    try {
      const cluster = { ...options, leaseSeconds: USUAL_LEASE_SECONDS, storeFolder: disk.folder };
      return await underLoad({ cluster, load: options }, async (running, _, progress) => {
        for (let cut = 1; cut <= options.count; cut++) {
          await cutPower(running, disk);
          progress(`${cut} times`);
        }
        return () => ({ facts: [['power cuts', String(options.count)]] });
      });
    } finally {
      await disk.close();
    }
  },
};
