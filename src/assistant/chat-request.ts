export type ChatQuestion = {
  text: string;
  /** IANA name. */
  timeZone: string;
  /** False turns web search off for this question. */
  webSearch: boolean;
  /** Absolute addresses of documents. */
  files: readonly string[];
};

/**
 * The one documented shape of a chat request. What stands at its default is left out: web search is on unless it is
 * sent as off, and an empty list of files is no context.
 */
export function buildChatRequest(question: ChatQuestion): string {
  const context = {
    ...(question.webSearch ? {} : { webContext: { isWebEnabled: false } }),
    ...(question.files.length > 0 ? { files: question.files.map((uri) => ({ uri })) } : {}),
  };
  return JSON.stringify({
    message: { text: question.text },
    locationHint: { timeZone: question.timeZone },
    ...(Object.keys(context).length > 0 ? { contextualResources: context } : {}),
  });
}
