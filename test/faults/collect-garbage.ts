// Loaded into a replica (`node --import`): SIGUSR2 has it collect its garbage, so that its memory can be compared.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
// Without its arguments: with any, only what is new would be collected.
process.on('SIGUSR2', () => collect());
