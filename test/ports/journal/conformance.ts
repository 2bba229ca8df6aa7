/** The suite that every journal passes. It tests each line of the port's contract. */
import { afterEach, beforeEach, describe } from 'vitest';
import { appending } from './conformance/appending.ts';
import { closing } from './conformance/closing.ts';
import { fencing } from './conformance/fencing.ts';
import { hinting } from './conformance/hinting.ts';
import type { JournalHarness } from './conformance/journal-under-test.ts';
import { keeping } from './conformance/keeping.ts';
import { reading } from './conformance/reading.ts';
import { snapshots } from './conformance/snapshots.ts';

/** `make` creates a harness for each test, which is disposed of afterwards. */
export function journalConformance(name: string, make: () => JournalHarness): void {
  describe(`${name} journal`, () => {
    let harness: JournalHarness;
    beforeEach(() => {
      harness = make();
    });
    afterEach(() => harness.dispose());

    for (const part of [appending, fencing, keeping, reading, snapshots, hinting, closing]) {
      part(() => harness);
    }
  });
}
