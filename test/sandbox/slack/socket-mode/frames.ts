/** The server's half of a WebSocket (RFC 6455), as much as Socket Mode needs: no extensions, no fragments. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

type FrameListeners = {
  text(text: string): void;
  pong(): void;
  /** Once, however it ended. */
  closed(): void;
};

export type ServerSocket = ReturnType<typeof acceptUpgrade>;

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const OPCODES = { text: 1, close: 8, ping: 9, pong: 10 };

/** Accepts the upgrade. */
export function acceptUpgrade(
  request: IncomingMessage,
  { stream, head }: { stream: Duplex; head: Buffer },
  listeners: FrameListeners,
) {
  const key = request.headers['sec-websocket-key'] ?? '';
  const accept = createHash('sha1')
    .update(key + GUID)
    .digest('base64');
  stream.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  let unread = head;
  let isClosing = false;
  let isSilent = false;

  function write(opcode: number, payload: Buffer): void {
    if (!stream.destroyed && stream.writable && !isSilent) stream.write(toFrame(opcode, payload));
  }

  function take({ opcode, payload }: Frame): void {
    if (opcode === OPCODES.text) listeners.text(payload.toString());
    else if (opcode === OPCODES.ping) write(OPCODES.pong, payload);
    else if (opcode === OPCODES.pong) listeners.pong();
    else if (opcode === OPCODES.close) {
      if (!isClosing) write(OPCODES.close, payload);
      stream.end();
    } else stream.destroy();
  }

  stream.on('data', (chunk: Buffer) => {
    if (isSilent) return;
    unread = Buffer.concat([unread, chunk]);
    for (let frame = readFrame(unread); frame; frame = readFrame(unread)) {
      unread = unread.subarray(frame.size);
      take(frame);
    }
  });
  stream.on('error', () => stream.destroy());
  stream.on('end', () => stream.destroy());
  stream.on('close', () => listeners.closed());
  return {
    send: (text: string) => write(OPCODES.text, Buffer.from(text)),
    ping: (text: string) => write(OPCODES.ping, Buffer.from(text)),
    /** The closing handshake. Ends the connection as soon as the other side has answered. */
    close(): void {
      isClosing = true;
      write(OPCODES.close, Buffer.from([0x03, 0xe8]));
    },
    /** Cuts the connection without a word. */
    destroy: () => void stream.destroy(),
    /** From now on reads nothing and answers nothing, while the connection stays. */
    fallSilent(): void {
      isSilent = true;
    },
  };
}

type Frame = { opcode: number; payload: Buffer; size: number };

/** Undefined while it is not all there. Clients mask what they send, and must. */
function readFrame(buffer: Buffer): Frame | undefined {
  if (buffer.length < 2) return undefined;
  const [first = 0, second = 0] = buffer;
  if ((first & 0x80) === 0 || (second & 0x80) === 0) throw new Error('a fragment, or a frame without a mask');
  const short = second & 0x7f;
  const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
  const begin = 2 + extra + 4;
  if (buffer.length < begin) return undefined;
  const length = extra === 0 ? short : extra === 2 ? buffer.readUInt16BE(2) : Number(buffer.readBigUInt64BE(2));
  if (buffer.length < begin + length) return undefined;
  const mask = buffer.subarray(begin - 4, begin);
  const payload = Buffer.from(buffer.subarray(begin, begin + length));
  for (let index = 0; index < length; index += 1) payload[index] = (payload[index] ?? 0) ^ (mask[index % 4] ?? 0);
  return { opcode: first & 0x0f, payload, size: begin + length };
}

function toFrame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  if (length < 126) return Buffer.concat([Buffer.from([0x80 | opcode, length]), payload]);
  if (length < 65_536) {
    const header = Buffer.from([0x80 | opcode, 126, 0, 0]);
    header.writeUInt16BE(length, 2);
    return Buffer.concat([header, payload]);
  }
  const header = Buffer.alloc(10);
  header.writeUInt8(0x80 | opcode, 0);
  header.writeUInt8(127, 1);
  header.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([header, payload]);
}
