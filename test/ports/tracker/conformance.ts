/** The suite every tracker passes: each line of the port's contract as statements that can fail. */
import { afterEach, beforeEach, describe } from 'vitest';
import { commenting } from './conformance/commenting.ts';
import { creating } from './conformance/creating.ts';
import { ending } from './conformance/ending.ts';
import { entering } from './conformance/entering.ts';
import { listing } from './conformance/listing.ts';
import { refusing } from './conformance/refusing.ts';
import type { Omissions, TrackerHarness } from './conformance/tracker-under-test.ts';
import { writing } from './conformance/writing.ts';

/** `make` gives each test a harness of its own, which is disposed of after it; `without` says what it cannot do, and why. */
export function trackerConformance(name: string, make: () => TrackerHarness, without: Omissions = {}): void {
  describe(`${name} tracker`, () => {
    let harness: TrackerHarness;
    beforeEach(() => {
      harness = make();
    });
    afterEach(() => harness.dispose());

    for (const part of [listing, writing, commenting, creating, ending, entering, refusing]) {
      part({ harness: () => harness, without });
    }
  });
}
