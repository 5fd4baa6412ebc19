/** Fields whose value gives somebody a right: tokens, codes, and addresses that work for whoever has them. */
const SECRET_FIELD =
  /^(.*_)?(token|secret|password|assertion|verifier|signature|cookie|authorization|trigger_id)$|^(code|state|nonce|response_url|response_urls|upload_url|url_private|url_private_download)$/i;

const SECRET_IN_TEXT = [
  /\bx(?:ox[a-z]|app)-[\w-]+/g,
  /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g,
  /(?<=\bBearer )[\w.~+/-]+=*/g,
  /(?<=[?&](?:ticket|code|state|nonce|token|key)=)[^&\s"|>]+/g,
];

const MASK = '•••';

/** A copy of any JSON value, without what would let its reader act as somebody. */
export function maskSecrets(value: unknown): unknown {
  if (typeof value === 'string') return SECRET_IN_TEXT.reduce((text, secret) => text.replace(secret, MASK), value);
  if (Array.isArray(value)) return value.map(maskSecrets);
  if (typeof value !== 'object' || value === null) return value;
  const isPublic = (field: string, inner: unknown) => !SECRET_FIELD.test(field) || typeof inner === 'object';
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [field, isPublic(field, inner) ? maskSecrets(inner) : MASK]),
  );
}
