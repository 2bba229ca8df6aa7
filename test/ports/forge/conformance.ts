/** The suite that every forge passes. It tests each line of the port's contract. */
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

/**
 * `make` creates a harness for each test, which is disposed of afterwards. `without` lists the
 * parts that do not apply to this forge, and why.
 */
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
