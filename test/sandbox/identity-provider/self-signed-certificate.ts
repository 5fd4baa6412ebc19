// Node reads X.509 certificates but makes none, so the few DER structures of one are written here (RFC 5280, 4.1).
import { type KeyObject, randomBytes, sign } from 'node:crypto';

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const NULL = Buffer.from([0x05, 0x00]);
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const VERSION_TAG = 0xa0;
const SHA256_WITH_RSA = Buffer.from('06092a864886f70d01010b', 'hex');
const COMMON_NAME = Buffer.from('0603550403', 'hex');

/** The DER of a version 3 certificate for an RSA key, valid from an hour ago for a year. */
export function buildSelfSignedCertificate(privateKey: KeyObject, publicKey: KeyObject, commonName: string): Buffer {
  const algorithm = tag(SEQUENCE, SHA256_WITH_RSA, NULL);
  const name = tag(SEQUENCE, tag(SET, tag(SEQUENCE, COMMON_NAME, tag(UTF8_STRING, Buffer.from(commonName)))));
  const now = Date.now();
  const validity = tag(SEQUENCE, time(now - 3_600_000), time(now + 365 * 86_400_000));
  const version = tag(VERSION_TAG, tag(INTEGER, Buffer.from([2])));
  // The leading byte keeps the serial number positive.
  const serial = tag(INTEGER, Buffer.concat([Buffer.from([0x01]), randomBytes(8)]));
  const keyInfo = publicKey.export({ format: 'der', type: 'spki' });
  const body = tag(SEQUENCE, version, serial, algorithm, name, validity, name, keyInfo);
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]);
  return tag(SEQUENCE, body, algorithm, tag(BIT_STRING, signature));
}

function tag(type: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([type]), length(content.length), content]);
}

function length(size: number): Buffer {
  if (size < 0x80) return Buffer.from([size]);
  if (size < 0x100) return Buffer.from([0x81, size]);
  return Buffer.from([0x82, size >> 8, size & 0xff]);
}

function time(epochMs: number): Buffer {
  const digits = new Date(epochMs).toISOString().replace(/[-:T]/g, '').slice(2, 14);
  return tag(UTC_TIME, Buffer.from(`${digits}Z`));
}
