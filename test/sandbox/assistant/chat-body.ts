// The strict reading of request bodies: what the contract does not show is refused.
import { z } from 'zod';

export type ChatBody = {
  readonly text: string;
  readonly timeZone: string | undefined;
  /** As sent: undefined where the field was left out. */
  readonly isWebEnabled: boolean | undefined;
  readonly files: readonly string[];
};

export type BodyCheck<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

const timeZone = z.string().refine(isTimeZone, 'must be an IANA time zone name');
const fileUri = z.string().refine(isHttpsUrl, 'must be an absolute https URL');
const chatBody = z.strictObject({
  message: z.strictObject({ text: z.string().refine((text) => text.trim() !== '', 'must not be empty') }),
  locationHint: z.strictObject({ timeZone }).optional(),
  contextualResources: z
    .strictObject({
      webContext: z.strictObject({ isWebEnabled: z.boolean().optional() }).optional(),
      files: z.array(z.strictObject({ uri: fileUri })).optional(),
    })
    .optional(),
});

export function parseChatBody(value: unknown, requireLocationHint: boolean): BodyCheck<ChatBody> {
  const parsed = chatBody.safeParse(value);
  if (!parsed.success) return { ok: false, problem: toProblem(parsed.error) };
  const { message, locationHint, contextualResources } = parsed.data;
  if (requireLocationHint && locationHint === undefined) return { ok: false, problem: 'locationHint: is required' };
  return {
    ok: true,
    value: {
      text: message.text,
      timeZone: locationHint?.timeZone,
      isWebEnabled: contextualResources?.webContext?.isWebEnabled,
      files: (contextualResources?.files ?? []).map((file) => file.uri),
    },
  };
}

export function parseCreateBody(value: unknown): BodyCheck<object> {
  const parsed = z.strictObject({}).safeParse(value);
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, problem: toProblem(parsed.error) };
}

function toProblem(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`).join('; ');
}

// Bare offsets are taken by Intl, but are not names of the IANA database.
function isTimeZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function isHttpsUrl(uri: string): boolean {
  return /^https:\/\/[^\s]+$/.test(uri) && URL.parse(uri)?.protocol === 'https:';
}
