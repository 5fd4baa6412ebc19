// A lenient reader of text/event-stream (https://html.spec.whatwg.org/multipage/server-sent-events.html) whose events
// are JSON objects. Real streams break the format: JSON continues on lines without `data:`, blank lines are missing, or
// the connection ends instead of the last event. Unreadable events are skipped.
import { isObject, type JsonObject, parseJson } from '../json.ts';

/** How far a JSON text is from its end. */
type Balance = { depth: number; inString: boolean };

/**
 * Our own limit, equal to that for answers without a stream. A larger event is skipped. At most four texts of this size
 * are in memory: a line, the open event, and two events that were put off.
 */
const MAX_EVENT_CHARACTERS = 4 * 1024 * 1024;

/** Comments and the other fields of an event, which are not used. */
const OTHER_FIELD = /^(?:id|event|retry)?:/;

const LINE_END = /\r\n|\r|\n/;

/** Shorter events are never put off. */
const MIN_PUT_OFF = 4_000;

/**
 * Calls `onEvent` for the events, in order. The result does not depend on where the chunks are cut. `isReplaceable`: by
 * its JSON, the next event of the same kind replaces this one. Such an event, if long, is put off: it is parsed only on
 * `catchUp` or when another kind follows, because a stream repeats its whole text hundreds of times.
 */
export function createEventReader(
  onEvent: (event: JsonObject) => void,
  isReplaceable: (json: string) => boolean = () => false,
) {
  const open = createOpenEvent(onEvent, isReplaceable);
  let line = '';
  /** The `\r` at the end of a chunk has ended the line: a `\n` after it does not end another one. */
  let isAfterReturn = false;
  let hadBlankLine = false;

  function push(chunk: string): void {
    if (chunk === '') return;
    const [first = '', ...others] = (isAfterReturn && chunk.startsWith('\n') ? chunk.slice(1) : chunk).split(LINE_END);
    isAfterReturn = chunk.endsWith('\r');
    if (line.length <= MAX_EVENT_CHARACTERS) line += first;
    for (const next of others) {
      readLine(line);
      line = next;
    }
  }

  /** The stream has ended, complete or not: reads what is still open, if possible. */
  function end(): void {
    if (line) readLine(line);
    line = '';
    open.finish();
    open.discard();
    open.catchUp();
  }

  function readLine(text: string): void {
    if (text.startsWith('data:')) {
      readPayload(text.slice(text.startsWith(' ', 5) ? 6 : 5));
    } else if (text.trim() === '') {
      open.pass(text);
      hadBlankLine = true;
    } else if (!OTHER_FIELD.test(text)) open.goOn(text);
  }

  function readPayload(payload: string): void {
    // A complete event ends here even if its blank line is missing. A broken event is dropped after its blank line.
    // Any other event continues: it may have several `data:` lines.
    open.close();
    if (hadBlankLine) open.discard();
    hadBlankLine = false;
    open.append(payload);
  }

  return { push, catchUp: open.catchUp, isBehind: open.isBehind, end };
}

/** The event that is being received. A text is parsed only a few times, wherever a hostile stream breaks its lines. */
function createOpenEvent(onEvent: (event: JsonObject) => void, isReplaceable: (json: string) => boolean) {
  let json = '';
  let balance: Balance | undefined;
  /** Events that were put off: the latest, and the one before it in case the latest is broken. */
  let waiting: string[] = [];

  function discard(): void {
    json = '';
    balance = undefined;
  }

  function append(text: string): void {
    if (json.length + text.length > MAX_EVENT_CHARACTERS) return discard();
    const addition = json ? `\n${text}` : text;
    json += addition;
    if (balance) advance(balance, addition);
  }

  /** True if an event ended here, readable or not. */
  function finish(): boolean {
    if (!json || (balance && !isBalanced(balance))) return false;
    const event = parseEvent(json);
    if (event === undefined && !balance) {
      balance = readBalance(json);
      if (!isBalanced(balance)) return false;
    }
    discard();
    catchUp();
    if (isObject(event)) onEvent(event);
    return true;
  }

  /** Ends the event, unless it cannot be read yet. */
  function close(): void {
    const isPutOff = json.length >= MIN_PUT_OFF && !balance && json.endsWith('}') && isReplaceable(json);
    if (!isPutOff) return void finish();
    waiting = [...waiting.slice(-1), json];
    discard();
  }

  /** A blank line ends the event, unless it cannot be read yet; in a string, it is part of the text. */
  function pass(line: string): void {
    close();
    if (balance?.inString) append(line);
  }

  /** Continues an event with a line without `data:`. */
  function goOn(line: string): void {
    if (!json) reopen();
    if (json && !finish()) append(line);
  }

  /** Parses the event that was put off, if there is one. */
  function catchUp(): void {
    // The earlier one is parsed only if the latest is broken.
    const event = waiting.toReversed().values().map(parseEvent).find(isObject);
    waiting = [];
    if (event) onEvent(event);
  }

  /** Opens the latest event again, if it was not complete. */
  function reopen(): void {
    const latest = waiting.at(-1);
    if (latest === undefined || parseEvent(latest) !== undefined) return catchUp();
    waiting.pop();
    catchUp();
    json = latest;
    balance = readBalance(latest);
  }

  return { append, goOn, close, pass, finish, catchUp, discard, isBehind: () => waiting.length > 0 };
}

function parseEvent(json: string): unknown {
  return parseJson(json) ?? parseJson(escapeLineBreaks(json));
}

function readBalance(json: string): Balance {
  const balance = { depth: 0, inString: false };
  advance(balance, json);
  return balance;
}

function isBalanced(balance: Balance): boolean {
  return balance.depth <= 0 && !balance.inString;
}

function advance(balance: Balance, text: string): void {
  for (const [mark] of text.matchAll(/\\.|["{}]/gs)) {
    if (mark === '"') balance.inString = !balance.inString;
    else if (!balance.inString && mark === '{') balance.depth += 1;
    else if (!balance.inString && mark === '}') balance.depth -= 1;
  }
}

/** Escapes line breaks inside the strings of a JSON text, which JSON forbids. */
function escapeLineBreaks(json: string): string {
  if (!json.includes('\n')) return json;
  let inString = false;
  return json.replace(/\\.|["\n\r]/gs, (mark) => {
    if (mark === '"') inString = !inString;
    if (!inString || mark.length > 1 || mark === '"') return mark;
    return mark === '\n' ? '\\n' : '\\r';
  });
}
