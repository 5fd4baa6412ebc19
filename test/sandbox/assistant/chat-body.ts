// The strict reading of request bodies: what the contract does not show is refused.
import { z } from 'zod';

const timeZone = z.string().refine(isTimeZone, 'must be an IANA time zone name');
const fileUri = z.string().refine(isHttpsUrl, 'must be an absolute https URL');

export const CREATE_BODY = z.strictObject({});

export const CHAT_BODY = z
  .strictObject({
    message: z.strictObject({ text: z.string().refine((text) => text.trim() !== '', 'must not be empty') }),
    locationHint: z.strictObject({ timeZone }).optional(),
    contextualResources: z
      .strictObject({
        webContext: z.strictObject({ isWebEnabled: z.boolean().optional() }).optional(),
        files: z.array(z.strictObject({ uri: fileUri })).optional(),
      })
      .optional(),
  })
  .transform(({ message, locationHint, contextualResources }) => ({
    text: message.text,
    timeZone: locationHint?.timeZone,
    /** As sent: undefined where the field was left out. */
    isWebEnabled: contextualResources?.webContext?.isWebEnabled,
    files: (contextualResources?.files ?? []).map((file) => file.uri),
  }));

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
