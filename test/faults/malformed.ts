import type { DeliverOptions } from '@assistant-bridge/sandbox/slack/delivery.ts';
import type { Json } from '@assistant-bridge/sandbox/slack/records.ts';
import type { Random } from './random.ts';

export type Malformed = { body: string; options: DeliverOptions };

const FORM = 'application/x-www-form-urlencoded';
const CONTENT_TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  FORM,
  'text/plain',
  'multipart/form-data',
];

const ODD_TEXTS = ['', ' ', '\u0000', '\ud800', '🧨'.repeat(50), '<@', '<!channel>', '%00%ff', '../../..'];

const ODD_KEYS = ['__proto__', 'constructor', 'toString', 'length', 'then', '', 'event', 'type'];

/** Of the deliveries: without a signature, with a wrong one, and far too large. */
const UNSIGNED_SHARE = 0.05;
const WRONG_SHARE = 0.02;
const HUGE_SHARE = 0.002;
const OTHER_TYPE_SHARE = 0.1;

/** Just more than the app reads. */
const HUGE_BYTES = 1_100_000;

const DEEP = 5_000;

/** A delivery that Slack never sends: one that it does, with something broken in it. */
export function makeMalformed(whole: Json, random: Random): Malformed {
  const spoil = random.pick([spoilValue, spoilValue, spoilText, cutText, makeNoise, makeNest]);
  const isForm = whole.type !== 'event_callback';
  const text = random.chance(HUGE_SHARE) ? 'x'.repeat(HUGE_BYTES) : spoil(whole, random);
  const contentType = random.chance(OTHER_TYPE_SHARE) ? random.pick(CONTENT_TYPES) : isForm ? FORM : 'application/json';
  const isUnsigned = random.chance(UNSIGNED_SHARE);
  const signature = isUnsigned ? 'none' : random.chance(WRONG_SHARE) ? 'wrong' : 'valid';
  return { body: isForm ? toForm(text, random) : text, options: { kind: 'raw', contentType, signature } };
}

/** Interactions come as JSON in a field, commands as fields; half of what is spoilt here is neither. */
function toForm(text: string, random: Random): string {
  if (random.chance(0.5)) return `payload=${encodeURIComponent(text.toWellFormed())}`;
  try {
    return new URLSearchParams(JSON.parse(text)).toString();
  } catch {
    return text;
  }
}

function spoilValue(whole: Json, random: Random): string {
  const spoilt = structuredClone(whole);
  const places = listPlaces(spoilt);
  for (let count = 1 + random.below(3); count > 0; count--) {
    const { holder, key } = random.pick(places);
    const change = random.below(4);
    if (change === 0) delete holder[key];
    else if (change === 1 && !Array.isArray(holder)) define(holder, random.pick(ODD_KEYS), odd(random));
    else holder[key] = odd(random);
  }
  return JSON.stringify(spoilt) ?? '';
}

/** An assignment to `__proto__` would not be one of a field of that name. */
function define(holder: Json, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

type Place = { holder: Json; key: string };

/** Every value that is somewhere inside, by what holds it. */
function listPlaces(holder: Json): Place[] {
  return Object.entries(holder).flatMap(([key, value]) => {
    const inner = typeof value === 'object' && value !== null ? listPlaces(value as Json) : [];
    return [{ holder, key }, ...inner];
  });
}

function odd(random: Random): unknown {
  const long = 'a'.repeat(random.below(20_000));
  const numbers = [0, -1, 1e308, 2 ** 53, 0.1];
  const things: unknown[] = [null, true, [], {}, [[]], [null], { ['__proto__']: { type: 'x' } }, { toString: 1 }];
  return random.pick([...things, ...numbers, ...ODD_TEXTS, long]);
}

function spoilText(whole: Json, random: Random): string {
  const letters = [...JSON.stringify(whole)];
  for (let count = 1 + random.below(8); count > 0; count--) {
    letters[random.below(letters.length)] = String.fromCharCode(random.below(0x250));
  }
  return letters.join('');
}

function cutText(whole: Json, random: Random): string {
  const text = JSON.stringify(whole);
  return text.slice(0, random.below(text.length));
}

function makeNoise(_: Json, random: Random): string {
  return Array.from({ length: random.below(600) }, () => String.fromCharCode(random.below(0x1_0000))).join('');
}

function makeNest(_: Json, random: Random): string {
  const [open, close] = random.pick([
    ['{"event":', '}'],
    ['[', ']'],
  ] as const);
  return `{"type":"event_callback","event":${open.repeat(DEEP)}1${close.repeat(DEEP)}}`;
}
