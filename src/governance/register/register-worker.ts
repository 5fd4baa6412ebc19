// The worker thread that parses and writes registers: see register-in-worker.ts.
import { serveWork } from '../../run-in-worker.ts';
import { type ExportedAdditions, exportRegister } from './export-register.ts';
import { type ReadRegister, readRegister } from './read-register.ts';

serveWork(doRegisterWork);

/** Plain values in and out. */
export type RegisterWork =
  | { kind: 'read'; text: string }
  | { kind: 'export'; text: string; additions: ExportedAdditions };

export type RegisterWorkResult = { read: ReadRegister; export: string };

function doRegisterWork(work: RegisterWork): RegisterWorkResult[RegisterWork['kind']] {
  switch (work.kind) {
    case 'read':
      return readRegister(work.text);
    case 'export':
      return exportRegister(work.text, work.additions);
  }
}
