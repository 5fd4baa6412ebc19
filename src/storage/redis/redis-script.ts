import { type CommandParser, defineScript } from 'redis';

/**
 * For the `scripts` of the client, which sends the digest, and the text where Redis does not know it: after a restart, a
 * fail-over, SCRIPT FLUSH. `Reply` is what the script says that it returns.
 */
export function redisScript<Reply>(text: string) {
  return defineScript({
    SCRIPT: text,
    parseCommand(parser: CommandParser, keys: string[], args: (string | number)[] = []) {
      parser.pushKeysLength(keys);
      parser.push(...args.map(String));
    },
    transformReply: (reply: Reply) => reply,
  });
}
