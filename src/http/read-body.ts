import type { IncomingMessage } from 'node:http';
import { BodyTooLargeError, TooManyBodiesError } from './http-errors.ts';

/** How many bytes of bodies this process keeps that nobody has proven to be allowed to send. */
const MAX_UNPROVEN_BYTES = 32 * 1024 * 1024;

/**
 * A body up to this size never gives way: of as many connections as the public server takes, all may send so much. What
 * Slack sends has a few KB.
 */
const SMALL_BYTES = 16 * 1024;

/** What a piece of a body costs beside its bytes: somebody may send a megabyte in pieces of one byte. */
const PIECE_BYTES = 512;

/** Pieces of a KB and a half, as networks carry them, are fewer than a thousand. */
const MAX_PIECES = 4_000;

/** Reads a request's body as a whole. Throws a BodyTooLargeError, a TooManyBodiesError, or what broke it off. */
export type ReadBody = (request: IncomingMessage, maxBytes: number) => Promise<Buffer>;

/** For a process: all its requests share one bound. The server bounds how long a request takes. */
export const readBody = createBodyReader(MAX_UNPROVEN_BYTES);

/**
 * Bounds what all bodies take that are being read. Bytes count when they arrive, because a length is declared for free.
 *
 * When there are too many, the body that began to be large first gives way, not the one that comes next: an honest body
 * is complete within moments, and what is held back on purpose has been there for longer.
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
        // The rest is not kept.
        request.resume();
      }

      request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', fail);
      if (request.destroyed) onClose();
    });
}

/** Gives the memory back at once. The garbage collector would come too late for what arrives meanwhile. */
function free(piece: Buffer): void {
  const { buffer } = piece;
  // Others may share it.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === piece.length) buffer.transfer(0);
}
