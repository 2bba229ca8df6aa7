/**
 * Chooses a value for the ordinary suite, or another for a run with LEGION_TEST_EFFORT=long, which
 * tests more cases.
 */

export function chooseByEffort<T>(ordinary: T, long: T): T {
  const { LEGION_TEST_EFFORT } = process.env;
  return LEGION_TEST_EFFORT === 'long' ? long : ordinary;
}
