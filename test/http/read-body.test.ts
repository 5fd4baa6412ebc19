import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { createBodyReader } from '../../src/http/read-body.ts';
import { hangUp, listen, speak } from './loopback.ts';

const KB = 1024;

afterEach(hangUp);

/** A server that reads bodies, 100 KB at a time, and answers with the length or the error's code. */
async function open(maxBytes = 500 * KB): Promise<number> {
  const readBody = createBodyReader(100 * KB);
  const server = await listen(async (request, response) => {
    const answer = await readBody(request, maxBytes).then(
      (body) => `${body.length} bytes`,
      (error) => error.code ?? error.message,
    );
    response.end(answer);
  });
  onTestFinished(server.close);
  return Number(new URL(server.url).port);
}

/** A request that declares a length, and sends what it is told to. */
function begin(port: number, length: number | 'chunked') {
  const framing = length === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${length}`;
  const { socket, answer } = speak(port, `POST / HTTP/1.1\r\nhost: here\r\n${framing}\r\n\r\n`);
  return {
    socket,
    send: (size: number) => new Promise<void>((resolve) => socket.write('x'.repeat(size), () => resolve())),
    answer: () => /\r\n\r\n(?:[0-9a-f]+\r\n)?([^\r]*)/.exec(answer())?.[1] ?? '',
  };
}

const aMoment = () => new Promise((resolve) => setTimeout(resolve, 50));

describe('reading a body', () => {
  it('resolves with all of it, in however many pieces it comes', async () => {
    const port = await open();
    const request = begin(port, 30);

    for (let count = 0; count < 3; count++) {
      await request.send(10);
      await aMoment();
    }

    await expect.poll(request.answer).toBe('30 bytes');
  });

  it('resolves with nothing for a request without a body', async () => {
    expect(await (await fetch(`http://127.0.0.1:${await open()}`)).text()).toBe('0 bytes');
  });

  it('refuses what is larger than its kind may be', async () => {
    const request = begin(await open(10 * KB), 12 * KB);

    await request.send(11 * KB);

    await expect.poll(request.answer).toBe('body_too_large');
  });

  it('refuses what comes in pieces of one byte, which take far more than that', async () => {
    const request = begin(await open(10_000 * KB), 'chunked');

    request.socket.write('1\r\nx\r\n'.repeat(5_000));

    await expect.poll(request.answer).toBe('too_many_bodies');
  });
});

describe('too many bodies at once', () => {
  it('make the one give way that has been large for longest, and let the next one through', async () => {
    const port = await open();
    const first = begin(port, 90 * KB);
    await first.send(60 * KB);
    await aMoment();
    const second = begin(port, 30 * KB);
    await second.send(29 * KB);
    await aMoment();
    const third = begin(port, 50 * KB);

    await third.send(50 * KB);

    await expect.poll(first.answer).toBe('too_many_bodies');
    await expect.poll(third.answer).toBe(`${50 * KB} bytes`);
    expect(second.answer()).toBe('');
  });

  it('leave small ones alone', async () => {
    const port = await open();
    const small = begin(port, 9 * KB);
    await small.send(8 * KB);
    await aMoment();
    const large = begin(port, 300 * KB);

    await large.send(200 * KB);
    await expect.poll(large.answer).toBe('too_many_bodies');
    await small.send(KB);

    await expect.poll(small.answer).toBe(`${9 * KB} bytes`);
  });

  it('count for nothing once they are broken off', async () => {
    const port = await open();
    for (let count = 0; count < 5; count++) {
      const broken = begin(port, 95 * KB);
      await broken.send(90 * KB);
      await aMoment();
      broken.socket.destroy();
      await aMoment();
    }
    const held = begin(port, 90 * KB);
    await held.send(85 * KB);
    await aMoment();

    await held.send(5 * KB);

    await expect.poll(held.answer).toBe(`${90 * KB} bytes`);
  });

  it('count as they arrive: a length costs nothing to declare', async () => {
    const port = await open();
    for (let count = 0; count < 10; count++) begin(port, 400 * KB);
    await aMoment();
    const honest = begin(port, 80 * KB);

    await honest.send(80 * KB);

    await expect.poll(honest.answer).toBe(`${80 * KB} bytes`);
  });
});
