/** How often the tests that kill something do so: a few times in the ordinary suite, many times in `npm run test:longest`. */

export function effort(ordinary: number, long: number): number {
  const { LEGION_TEST_EFFORT } = process.env;
  return LEGION_TEST_EFFORT === 'long' ? long : ordinary;
}
