const LENGTH = 10;

/** `percent` may be more than 100. It is full only where all is used. */
export function buildBar(percent: number): string {
  const filled = Math.min(LENGTH, Math.max(0, Math.floor(percent / LENGTH)));
  return `${'▰'.repeat(filled)}${'▱'.repeat(LENGTH - filled)}`;
}
