/** The suite every kind of workspace passes: each line of the port's contract as statements that can fail. */
import { afterEach, beforeEach, describe } from 'vitest';
import { ensuring } from './conformance/ensuring.ts';
import { finding } from './conformance/finding.ts';
import { refusing } from './conformance/refusing.ts';
import { removing } from './conformance/removing.ts';
import { updating } from './conformance/updating.ts';
import type { WorkspacesHarness } from './conformance/workspaces-under-test.ts';

/** `make` gives each test a harness of its own, which is disposed of after it. */
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
