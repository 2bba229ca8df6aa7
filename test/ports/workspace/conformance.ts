/** Conformance suite for workspaces: tests each line of the port's contract. */
import { afterEach, beforeEach, describe } from 'vitest';
import { ensuring } from './conformance/ensuring.ts';
import { finding } from './conformance/finding.ts';
import { refusing } from './conformance/refusing.ts';
import { removing } from './conformance/removing.ts';
import { updating } from './conformance/updating.ts';
import type { WorkspacesHarness } from './conformance/workspaces-under-test.ts';

/** `make` creates a harness for each test, which is disposed of afterwards. */
export function workspacesConformance(name: string, make: () => Promise<WorkspacesHarness>): void {
  describe(`${name} workspaces`, () => {
    let harness: WorkspacesHarness;
    beforeEach(async () => {
      harness = await make();
    });
    afterEach(() => harness.dispose());

    for (const part of [ensuring, finding, updating, refusing, removing]) part(() => harness);
  });
}
