import type { ThreadChange, ThreadConversation } from '../../conversation/thread-store.ts';
import { toWorkspace } from '../thread-workspace.ts';
import { THREAD, threadsOf, WORKSPACES } from './redis-keys.ts';

/** For a script that changes threads beside what else it does: `changeThreads(from)` reads ARGV from there on. */
export const THREAD_CHANGES = `local function useThread(thread, workspace, now)
  redis.call('ZADD', '${threadsOf("' .. workspace .. '")}', now, thread)
  redis.call('SADD', '${WORKSPACES}', workspace)
end

local change = {}

function change.engage(key, user, workspace)
  redis.call('HSET', key, 'e:' .. user, workspace)
  return true
end

function change.keep(key, id, _, record, holder, former)
  local held = redis.call('HGET', key, holder)
  if held and held ~= former and held ~= id then return false end
  if held then redis.call('HDEL', key, 'c:' .. held) end
  redis.call('HSET', key, holder, id, 'c:' .. id, record)
  return true
end

function change.update(key, id, _, record)
  local known = redis.call('HGET', key, 'c:' .. id)
  if not known then return false end
  if cjson.decode(known).hasPrivateAnswers then
    local changed = cjson.decode(record)
    changed.hasPrivateAnswers = true
    record = cjson.encode(changed)
  end
  redis.call('HSET', key, 'c:' .. id, record)
  return true
end

function change.drop(key, id, _, _, holder)
  redis.call('HDEL', key, 'c:' .. id)
  if redis.call('HGET', key, holder) == id then redis.call('HDEL', key, holder) end
  return false
end

-- Eight for each: kind, thread, user or conversation, workspace, record, holder's field, former, now.
local function changeThreads(from)
  for i = from, #ARGV, 8 do
    local kind, thread, id, workspace, record, holder, former, now = unpack(ARGV, i, i + 7)
    if change[kind]('${THREAD}' .. thread, id, workspace, record, holder, former) then
      useThread(thread, workspace, now)
    end
  end
end`;

/** What `changeThreads` reads. */
export function toThreadArgs(changes: readonly ThreadChange[], now: number): (string | number)[] {
  return changes.flatMap((change) => [change.kind, change.thread, ...toFields(change), now]);
}

function toFields(change: ThreadChange): string[] {
  if (change.kind === 'engage') return [change.user, change.workspace, '', '', ''];
  const { thread, conversation } = change;
  const { id, owner, heldBy } = conversation;
  const workspace = toWorkspace(thread, conversation);
  const holder = heldBy === 'person' ? `p:${owner}` : 't';
  const former = (change.kind === 'keep' && change.former) || '';
  return [id, workspace, toBody(conversation, workspace), holder, former];
}

/** The scripts that remove records look at `workspace` alone. */
function toBody(conversation: ThreadConversation, workspace: string): string {
  return JSON.stringify({ ...conversation, workspace } satisfies ThreadConversation);
}
