// `npm run sign-everybody-out`: ends all sign-ins, or those whose tokens are sealed with one key, in the store that the
// configuration names. Beside a running app with Redis; with SQLite the app has to be stopped. Exits with 1 if it did not.
import { parseArgs } from 'node:util';
import { loadConfig } from '../src/config.ts';
import { countSignIns, describeSignIns, withLinks } from './sign-everybody-out/count-sign-ins.ts';
import { confirm, endLogged, refuseFirstKey, withStore } from './sign-everybody-out/end-logged.ts';
import { toSentence, USAGE } from './sign-everybody-out/usage.ts';

const OPTIONS = {
  key: { type: 'string' },
  count: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h' },
} as const;

try {
  process.exitCode = await run();
} catch (cause) {
  console.error(toSentence(cause));
  process.exitCode = 1;
}

async function run(): Promise<number> {
  const { values } = parseArgs({ options: OPTIONS });
  const { key, count, yes } = values;
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const config = loadConfig();
  if (count) {
    console.log(describeSignIns(await withLinks(config, countSignIns), key));
    return 0;
  }
  refuseFirstKey(config, key);
  return withStore(config, async (store) => {
    const found = await countSignIns(store.links);
    console.log(describeSignIns(found, key));
    const wanted = key === undefined ? found.all : (found.byKey.get(key) ?? 0);
    if (wanted === 0) return 0;
    if (!yes && !(await confirm(wanted))) {
      console.error('Nothing was ended.');
      return 1;
    }
    console.log(await endLogged(store, { key, wanted }));
    return 0;
  });
}
