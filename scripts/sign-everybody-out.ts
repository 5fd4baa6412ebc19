// `npm run sign-everybody-out`: ends all sign-ins, or those whose tokens are sealed with one key, in the store that the
// configuration names. With Redis the app may run; with SQLite it has to be stopped. Exits with 1 if it failed.
import { loadConfig } from '../src/config.ts';
import { runCommand } from './run-command.ts';
import {
  confirm,
  countSignIns,
  describeSignIns,
  endLogged,
  failed,
  refuseFirstKey,
} from './sign-everybody-out/sign-ins.ts';
import { withReader, withStore } from './with-store.ts';

await runCommand({
  usage: `Ends sign-ins: these people are asked to sign in again at their next question.
  npm run sign-everybody-out -- --count      changes nothing, and says how many sign-ins there are
  npm run sign-everybody-out                 ends all of them, once you have typed how many
  npm run sign-everybody-out -- --key <id>   only those whose tokens are sealed with this key of ENCRYPTION_KEYS
      --yes                                  asks nothing
With Redis the app may run. With SQLite stop it first; --count runs beside it.`,
  options: {
    key: { type: 'string' },
    count: { type: 'boolean', default: false },
    yes: { type: 'boolean', default: false },
  },
  failed,
  async run({ key, count, yes }, positionals) {
    if (positionals.length > 0) return undefined;
    const config = loadConfig();
    if (count) {
      console.log(describeSignIns(await withReader(config, ({ links }) => countSignIns(links)), key));
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
  },
});
