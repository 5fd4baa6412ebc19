// A lenient reader of text/event-stream (https://html.spec.whatwg.org/multipage/server-sent-events.html) whose events
// are JSON objects. Real streams break the format: JSON runs over lines without `data:`, blank lines are missing, the
// last event ends with the connection. What cannot be read is skipped.
import { isObject, type JsonObject, parseJson } from './conversation-body.ts';

export type EventReader = {
  push(chunk: string): void;
  /** The stream has ended, complete or not: reads what is still open, if possible. */
  end(): void;
};

/** How far a JSON text is from its end. */
type Balance = { depth: number; inString: boolean };

/** Our own bound, as large as the largest answer we read otherwise. A larger event is skipped. */
const MAX_EVENT_CHARACTERS = 4 * 1024 * 1024;

/** The other fields of an event, and comments. They say nothing here. */
const OTHER_FIELD = /^(?:id|event|retry)?:/;

/** Calls `onEvent` for every event, in order. The result does not depend on where the chunks are cut. */
export function createEventReader(onEvent: (event: JsonObject) => void): EventReader {
  const open = createOpenEvent(onEvent);
  let line = '';
  let hadBlankLine = false;

  function push(chunk: string): void {
    let from = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
      readLine(line + chunk.slice(from, end));
      line = '';
      from = end + 1;
    }
    if (line.length <= MAX_EVENT_CHARACTERS) line += chunk.slice(from);
  }

  function end(): void {
    if (line) readLine(line);
    line = '';
    open.finish();
    open.discard();
  }

  function readLine(raw: string): void {
    const text = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    if (text.startsWith('data:')) {
      readPayload(text.slice(text.startsWith(' ', 5) ? 6 : 5));
    } else if (text.trim() === '') {
      open.finish();
      hadBlankLine = true;
    } else if (!open.isEmpty() && !OTHER_FIELD.test(text) && !open.finish()) {
      open.append(text);
    }
  }

  function readPayload(payload: string): void {
    // A complete event whose blank line is missing ends here, a broken one is given up after its blank line, and
    // anything else goes on: one event may have several lines of data.
    open.finish();
    if (hadBlankLine) open.discard();
    hadBlankLine = false;
    open.append(payload);
  }

  return { push, end };
}

/** The event that is being received. A text is parsed at most twice, wherever a hostile stream breaks its lines. */
function createOpenEvent(onEvent: (event: JsonObject) => void) {
  let json = '';
  let balance: Balance | undefined;

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

  /** True where an event ended here, readable or not. */
  function finish(): boolean {
    if (!json || (balance && !isBalanced(balance))) return false;
    const event = parseJson(json) ?? parseJson(escapeLineBreaks(json));
    if (event === undefined && !balance) {
      balance = { depth: 0, inString: false };
      advance(balance, json);
      if (!isBalanced(balance)) return false;
    }
    discard();
    if (isObject(event)) onEvent(event);
    return true;
  }

  return { append, finish, discard, isEmpty: () => json === '' };
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

/** Line breaks inside the strings of a JSON text, which JSON forbids, as escapes. */
function escapeLineBreaks(json: string): string {
  if (!json.includes('\n')) return json;
  let inString = false;
  return json.replace(/\\.|["\n\r]/gs, (mark) => {
    if (mark === '"') inString = !inString;
    if (!inString || mark.length > 1 || mark === '"') return mark;
    return mark === '\n' ? '\\n' : '\\r';
  });
}
