/** What the GitHub forge does otherwise than the suite says, and why. */
import type { Deviations } from '../../ports/forge/conformance/forge-under-test.ts';

export const DEVIATIONS: Deviations = {
  outlivesItsBranch:
    'GitHub closes a pull request with its branch, and does not tell that from a person who closed it; a new one is opened instead (reading.test.ts)',
};
