// Loaded into a replica (`node --import`): its wall clock shows what the file CLOCK_FILE says it is off by, in ms.
import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 50;

const RealDate = Date;
const file = process.env.CLOCK_FILE ?? '';
let offsetMs = 0;

function look(): void {
  offsetMs = Number(readFileSync(file, 'utf8'));
}

class ShiftedDate extends RealDate {
  constructor(...given: unknown[]) {
    if (given.length === 0) super(ShiftedDate.now());
    else super(...(given as []));
  }

  static override now(): number {
    return RealDate.now() + offsetMs;
  }
}

look();
setInterval(look, LOOK_EVERY_MS).unref();
globalThis.Date = ShiftedDate as DateConstructor;
