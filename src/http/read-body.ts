import type { IncomingMessage } from 'node:http';
import { BodyTooLargeError, TooManyBodiesError } from './http-errors.ts';

/** The most memory for bodies that are being read, whose senders are not verified yet. */
const MAX_UNPROVEN_BYTES = 32 * 1024 * 1024;

/**
 * A body up to this size is never dropped: all connections of the public server together may send that much. Slack's
 * requests have a few KB.
 */
const SMALL_BYTES = 16 * 1024;

/** The memory that each piece of a body takes besides its bytes: a client may send a megabyte in pieces of one byte. */
const PIECE_BYTES = 512;

/** Network packets of 1.5 KB make fewer than a thousand pieces. */
const MAX_PIECES = 4_000;

/** Reads a request's whole body. Throws BodyTooLargeError, TooManyBodiesError, or the error that broke it off. */
export type ReadBody = (request: IncomingMessage, maxBytes: number) => Promise<Buffer>;

/** All requests of the process share one limit. The server limits how long a request takes. */
export const readBody = createBodyReader(MAX_UNPROVEN_BYTES);

/**
 * Limits the memory of all bodies that are being read. Counts arrived bytes, not declared lengths, which cost nothing.
 *
 * Above the limit, drops the body that became large first, not the latest: an honest body is complete within moments; a
 * body that is held back on purpose has been there for longer.
 */
export function createBodyReader(maxUnproven: number): ReadBody {
  const large = new Set<() => void>();
  let unproven = 0;

  return (request, maxBytes) =>
    new Promise((resolve, reject) => {
      const pieces: Buffer[] = [];
      let size = 0;
      let held = 0;

      function onData(piece: Buffer): void {
        size += piece.length;
        if (size > maxBytes || pieces.length === MAX_PIECES) return fail(new BodyTooLargeError(maxBytes));
        pieces.push(piece);
        held += piece.length + PIECE_BYTES;
        unproven += piece.length + PIECE_BYTES;
        if (held > SMALL_BYTES) large.add(giveWay);
        const [first] = large;
        if (unproven > maxUnproven) first?.();
      }
      const giveWay = () => fail(new TooManyBodiesError());
      const onEnd = () => {
        end();
        resolve(pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces));
      };
      const onClose = () => fail(new Error('the request was broken off'));

      function fail(error: Error): void {
        end();
        pieces.splice(0).forEach(free);
        reject(error);
      }
      function end(): void {
        unproven -= held;
        held = 0;
        large.delete(giveWay);
        request.off('data', onData).off('end', onEnd).off('close', onClose);
        // Discard the rest.
        request.resume();
      }

      request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', fail);
      if (request.destroyed) onClose();
    });
}

/** Frees the memory at once. The garbage collector would be too slow for what arrives meanwhile. */
function free(piece: Buffer): void {
  const { buffer } = piece;
  // Not if other pieces share the buffer.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === piece.length) buffer.transfer(0);
}
