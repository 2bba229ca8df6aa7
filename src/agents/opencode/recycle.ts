/** When an idle server is ended and begun anew: it grows with every turn and does not shrink again. */

/** 360 MB when it is ready, 800 MB after a turn; what is beyond this was not given back. */
const MEMORY_MOST_BYTES = 1_500 * 1_024 * 1_024;
/** A new one costs four seconds, so this costs nothing; servers that ran for days have been seen to wedge. */
const AGE_MOST_MS = 2 * 3_600_000;

/** A memory that cannot be read is left to the age. */
export function isWornOut(memoryBytes: number | undefined, ageMs: number): boolean {
  return ageMs > AGE_MOST_MS || (memoryBytes !== undefined && memoryBytes > MEMORY_MOST_BYTES);
}
