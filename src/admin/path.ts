import { AdminRejectedError } from '../admin-api/admin-errors.ts';

/**
 * An absolute path of these segments, each encoded, so that no id can leave its place in it. AdminRejectedError where
 * an id cannot be a segment: addresses drop `.` and `..`, encoded or not (https://url.spec.whatwg.org/#path-state).
 */
export function toPath(...segments: string[]): string {
  return segments.map((segment) => `/${toSegment(segment)}`).join('');
}

function toSegment(segment: string): string {
  if (['', '.', '..'].includes(segment)) {
    throw new AdminRejectedError('build an address', 'An id that is empty, or only dots, cannot be addressed.');
  }
  return encodeURIComponent(segment.toWellFormed()).replaceAll("'", '%27');
}
