/** A delay that differs between workers and is always the same for one, so that a replay wakes it at the same moment. */

/** At least 0 and less than `most`. */
export function jitterOf(worker: string, attempt: number, most: number): number {
  return Math.floor((fnv1a(`${worker}:${attempt}`) / 2 ** 32) * most);
}

/** FNV-1a, 32 bits: short, and spreads ids that differ in one letter. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash;
}
