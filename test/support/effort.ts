/** Chooses between the ordinary suite and a run with LEGION_TEST_EFFORT=long, which does the same more often. */

export function effort<T>(ordinary: T, long: T): T {
  const { LEGION_TEST_EFFORT } = process.env;
  return LEGION_TEST_EFFORT === 'long' ? long : ordinary;
}
