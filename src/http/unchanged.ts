/** Whether who asks has this very answer already, by the mark it was given with it. */

export function etagOf(mark: string): string {
  return `"${mark}"`;
}

/** RFC 9110, 13.1.2: a list of marks, each perhaps weak, or any at all. */
export function hasAlready(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const kept = ifNoneMatch.split(',').map((each) => each.trim().replace(/^W\//, ''));
  return kept.includes(etag) || kept.includes('*');
}
