/** The suite every forge passes: each line of the port's contract as statements that can fail. */
import { afterEach, beforeEach, describe } from 'vitest';
import { checking } from './conformance/checking.ts';
import { closing } from './conformance/closing.ts';
import type { Deviations, ForgeHarness } from './conformance/forge-under-test.ts';
import { hostility } from './conformance/hostility.ts';
import { merging } from './conformance/merging.ts';
import { opening } from './conformance/opening.ts';
import { pushing } from './conformance/pushing.ts';
import { reading } from './conformance/reading.ts';
import { rebasing } from './conformance/rebasing.ts';
import { reverting } from './conformance/reverting.ts';
import { reviewing } from './conformance/reviewing.ts';

const PARTS = [
  opening,
  reading,
  reviewing,
  checking,
  pushing,
  rebasing,
  merging,
  reverting,
  hostility,
  closing,
];

/** `make` gives each test a harness of its own, which is disposed of after it; `without` says what does not hold, and why. */
export function forgeConformance(name: string, make: () => ForgeHarness, without: Deviations = {}): void {
  describe(`${name} forge`, () => {
    let harness: ForgeHarness;
    beforeEach(() => {
      harness = make();
    });
    afterEach(() => harness.dispose());

    for (const part of PARTS) part(() => harness, without);
  });
}
