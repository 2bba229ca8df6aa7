/** Lists where the GitHub forge deviates from the conformance suite, with reasons. */
import type { Deviations } from '../../../ports/forge/conformance/forge-under-test.ts';

export const DEVIATIONS: Deviations = {
  outlivesItsBranch:
    'GitHub closes a pull request when its branch is deleted, just as if a person had closed it. A new one is opened instead (reading.integration.test.ts)',
};
