/** Conformance suite for trackers: tests every clause of the port's contract. */
import { afterEach, beforeEach, describe } from 'vitest';
import { commenting } from './conformance/commenting.ts';
import { creating } from './conformance/creating.ts';
import { ending } from './conformance/ending.ts';
import { entering } from './conformance/entering.ts';
import { listing } from './conformance/listing.ts';
import { refusing } from './conformance/refusing.ts';
import type { Omissions, TrackerHarness } from './conformance/tracker-under-test.ts';
import { writing } from './conformance/writing.ts';

/**
 * `make` creates a harness for each test, which is disposed of afterwards. `without` states which
 * operations the tracker does not support, and why.
 */
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
