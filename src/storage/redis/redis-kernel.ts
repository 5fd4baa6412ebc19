import { CLEARED, type Document, type Kernel, PAGE, toKey, toVersion, type Write } from '../kernel.ts';
import { type RedisConnection, redisScript } from './redis-client.ts';
import { ARRIVALS, DOCUMENT, EXPIRING, INDEX } from './redis-keys.ts';

/**
 * A document is a hash: `b` is its body, `v` its version, `p` its place in the order of arrival, `e` its index entries,
 * and `x` when it expires. An index is a sorted set of keys, each prefixed with its place. Our clock decides whether a
 * document has expired; then it counts as missing, and a later write removes it.
 */
export function createRedisKernel({ send }: RedisConnection<typeof kernelScripts>, now: () => number): Kernel {
  return {
    get: gathered(async (keys) => {
      const names = keys.map((key) => DOCUMENT + key);
      const [first = ''] = names;
      const rows = await send<Row[]>(async (client) =>
        // For one key, a script would cost one more command.
        keys.length > 1 ? client.readDocuments(names) : [await client.hmGet(first, FIELDS)],
      );
      return rows.map((row, at) => toDocument([keys[at] ?? '', ...row], now()));
    }),
    async range(index, { from = -Infinity, to = Infinity, after = -Infinity, limit = PAGE, isReversed } = {}) {
      const low = after < from ? from : `(${after}`;
      const args = [...(isReversed ? [to, low, 1] : [low, to, 0]), limit, now()];
      const rows = await send((client) => client.rangeDocuments([INDEX + index], args));
      return rows.flatMap((row) => toDocument(row, now()) ?? []);
    },
    count: (index, from) => send((client) => client.countDocuments([INDEX + index], [from, now(), index])),
    async commit(writes) {
      if (writes.length === 0) return true;
      const keys = writes.map((one) => DOCUMENT + toKey(one));
      const args = writes.map((one) => JSON.stringify(toArgument(one)));
      return (await send((client) => client.commitDocuments(keys, [now(), ...args, ...writes.map(toBody)]))) === 1;
    },
    async clear() {
      while ((await send((client) => client.clearDocuments([EXPIRING], [now(), PAGE]))) === PAGE);
    },
  };
}

/**
 * Reads keys with one call at a time. Keys that are requested meanwhile go into the next call, at most a page. Anybody
 * can make the app look up invented secrets: thousands of parallel commands would take its memory, and delay Slack's
 * requests. `read`: values in the order of the keys.
 */
function gathered<Value>(
  read: (keys: readonly string[]) => Promise<Value[]>,
): (keys: readonly string[]) => Promise<Value[]> {
  let last: Promise<unknown> = Promise.resolve();
  let waiting: { keys: string[]; values: Promise<Value[]> } | undefined;

  function begin() {
    const keys: string[] = [];
    const values = last.then(() => {
      if (waiting?.keys === keys) waiting = undefined;
      return read(keys);
    });
    last = values.catch(() => undefined);
    return { keys, values };
  }

  return async (wanted) => {
    if (!waiting || waiting.keys.length + wanted.length > PAGE) waiting = begin();
    const { keys, values } = waiting;
    const at = keys.length;
    keys.push(...wanted);
    return (await values).slice(at, at + wanted.length);
  };
}

/** A write as Lua reads it. */
function toArgument(write: Write): unknown {
  const wanted = { if: write.ifVersion };
  if ('drop' in write) return { ...wanted, isDropped: true };
  const { entries, expiresAt } = write;
  return { ...wanted, expiresAt, ...(entries && { entries: entries.map(({ index, at }) => ({ index, at })) }) };
}

function toBody(write: Write): string {
  return 'put' in write ? JSON.stringify(write.body) : '';
}

const FIELDS = ['b', 'v', 'p', 'x'];

/** Key, body, version, place, expiry. */
type Row = (string | null)[];

function toDocument([key, body, version, place, expiresAt]: Row, now: number): Document | undefined {
  if (!key || !body || (expiresAt && Number(expiresAt) <= now)) return undefined;
  const at = Number(place);
  return { key, body: JSON.parse(body), version: toVersion(at, Number(version)), place: at };
}

/** Places padded to this many digits sort like numbers. */
const DIGITS = 13;

/** Lua that reads a document without its body, and its entries. */
const READING = `local function read(key)
  local f = redis.call('HMGET', '${DOCUMENT}' .. key, 'v', 'p', 'e', 'x')
  return { v = tonumber(f[1] or 0), p = f[2], e = f[3] or '', x = f[4] or '' }
end

local function entriesOf(one)
  return one.e ~= '' and cjson.decode(one.e) or {}
end`;

/** Lua that removes documents. `now`: by our clock. */
const REMOVAL = `${READING}

local function member(place, key)
  return string.format('%0${DIGITS}.0f', place) .. key
end

local function leave(one, key)
  for _, entry in ipairs(entriesOf(one)) do
    redis.call('ZREM', '${INDEX}' .. entry[1], member(one.p, key))
  end
end

local function drop(one, key)
  leave(one, key)
  if one.x ~= '' then redis.call('ZREM', '${EXPIRING}', key) end
  redis.call('DEL', '${DOCUMENT}' .. key)
end

-- Redis's clock has to agree: a process whose clock is ahead must not remove documents that others still see.
local function clear(now, limit)
  local function list(to) return redis.call('ZRANGE', '${EXPIRING}', '-inf', to, 'BYSCORE', 'LIMIT', 0, limit) end
  local keys = list(now)
  if #keys > 0 then
    local time = redis.call('TIME')
    keys = list(string.format('%.0f', math.min(now, time[1] * 1000 + math.floor(time[2] / 1000))))
  end
  for _, key in ipairs(keys) do
    drop(read(key), key)
    -- Somebody may have removed it by hand.
    redis.call('ZREM', '${EXPIRING}', key)
  end
  return #keys
end`;

export const kernelScripts = {
  clearDocuments: redisScript<number>(`
-- KEYS: 1 the documents that expire. ARGV: 1 now, 2 how many. Returns how many were removed.
${REMOVAL}
return clear(ARGV[1], ARGV[2])
`),

  commitDocuments: redisScript<number>(`
-- KEYS: the documents. ARGV: 1 now, then as many descriptions of what is written, then as many bodies.
-- Returns 1, or 0 if a version does not match.
${REMOVAL}
local now, count = tonumber(ARGV[1]), #KEYS
local found, wanted, keys = {}, {}, {}

clear(ARGV[1], ${CLEARED})
for i = 1, count do
  wanted[i], keys[i] = cjson.decode(ARGV[i + 1]), string.sub(KEYS[i], ${DOCUMENT.length + 1})
  found[i] = read(keys[i])
  if found[i].x ~= '' and tonumber(found[i].x) <= now then
    drop(found[i], keys[i])
    found[i] = read(keys[i])
  end
  local version = found[i].p and found[i].p * ${toVersion(1, 0)} + found[i].v or 0
  if wanted[i]['if'] and wanted[i]['if'] ~= version then return 0 end
end

for i = 1, count do
  local want, one, key = wanted[i], found[i], keys[i]
  if want.isDropped then
    drop(one, key)
  else
    one.p = one.p or redis.call('INCR', '${ARRIVALS}')
    if want.entries then
      local places = {}
      for at, entry in ipairs(want.entries) do places[at] = { entry.index, entry.at or tonumber(one.p) } end
      local text = #places > 0 and cjson.encode(places) or ''
      if text ~= one.e then
        leave(one, key)
        for _, entry in ipairs(places) do redis.call('ZADD', '${INDEX}' .. entry[1], entry[2], member(one.p, key)) end
        one.e = text
      end
    end
    redis.call('HSET', KEYS[i], 'b', ARGV[i + 1 + count], 'v', one.v + 1, 'p', one.p, 'e', one.e, 'x', want.expiresAt or '')
    if want.expiresAt then redis.call('ZADD', '${EXPIRING}', want.expiresAt, key) end
    if one.x ~= '' and not want.expiresAt then redis.call('ZREM', '${EXPIRING}', key) end
  end
end
return 1
`),

  countDocuments: redisScript<number>(`
-- KEYS: 1 an index. ARGV: 1 from, 2 now, 3 the index's name. Returns how many are in it, without the expired ones.
${READING}
local count, from = redis.call('ZCOUNT', KEYS[1], ARGV[1], '+inf'), tonumber(ARGV[1])
for _, key in ipairs(redis.call('ZRANGE', '${EXPIRING}', '-inf', ARGV[2], 'BYSCORE')) do
  for _, entry in ipairs(entriesOf(read(key))) do
    if entry[1] == ARGV[3] and entry[2] >= from then count = count - 1 end
  end
end
return count
`),

  readDocuments: redisScript<Row[]>(`
-- KEYS: documents. Returns body, version, place and expiry of each.
local rows = {}
for at, key in ipairs(KEYS) do rows[at] = redis.call('HMGET', key, 'b', 'v', 'p', 'x') end
return rows
`),

  rangeDocuments: redisScript<Row[]>(`
-- KEYS: 1 an index. ARGV: 1 and 2 from and to, 3 '1' if the order is reversed, 4 how many, 5 now.
-- Returns key, body, version, place and expiry of each.
local rows, offset, limit, now = {}, 0, tonumber(ARGV[4]), tonumber(ARGV[5])
repeat
  local range = { 'ZRANGE', KEYS[1], ARGV[1], ARGV[2], 'BYSCORE', 'LIMIT', offset, limit - #rows }
  if ARGV[3] == '1' then table.insert(range, 'REV') end
  local members = redis.call(unpack(range))
  for _, name in ipairs(members) do
    local key = string.sub(name, ${DIGITS + 1})
    local f = redis.call('HMGET', '${DOCUMENT}' .. key, 'b', 'v', 'p', 'x')
    -- Somebody may have removed it by hand.
    if f[1] and (f[4] == '' or tonumber(f[4]) > now) then rows[#rows + 1] = { key, f[1], f[2], f[3], f[4] } end
  end
  offset = offset + #members
until #rows >= limit or #members == 0
return rows
`),
};
