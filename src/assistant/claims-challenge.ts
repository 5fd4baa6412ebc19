import { isObject, parseJson } from './json.ts';

/** Our own bound: such a demand is a few hundred bytes, and it travels on in the address of the authorization page. */
const MAX_CLAIMS_LENGTH = 4096;

/**
 * Reads the `claims` of a WWW-Authenticate header, base64 or base64url, as the JSON text that the authorize request
 * takes: https://learn.microsoft.com/entra/identity-platform/claims-challenge. Undefined where there are none.
 */
export function parseClaims(header: string): string | undefined {
  const encoded = /\bclaims="([^"]*)"/.exec(header)?.[1];
  if (!encoded || encoded.length > MAX_CLAIMS_LENGTH) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  return isObject(parseJson(text)) ? text : undefined;
}
