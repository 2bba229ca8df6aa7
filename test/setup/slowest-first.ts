/**
 * Starts the slowest test files of a project first. Otherwise one worker might still be running a
 * slow file at the end while the others are idle.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Vitest sorts by the durations of the last run. After a clean install there are none, so it sorts
 * by file size. These files are small but slow, because they run a whole suite or a long search.
 */
export const SLOWEST_FILES: readonly string[] = [
  'test/integrations/github/forge/conformance-apps.e2e.test.ts',
  'test/integrations/local/forge/conformance-ordinary.integration.test.ts',
  'test/workspaces/git-worktree/conformance.integration.test.ts',
  'test/hosts/local/conformance.integration.test.ts',
  'test/integrations/github/tracker/conformance.integration.test.ts',
  'test/integrations/github/tracker/hostile.integration.test.ts',
  'test/integrations/github/forge/hostile.integration.test.ts',
  'test/core/pipeline/every-input.test.ts',
  'test/core/pipeline/settles.test.ts',
  'test/sim/simulation.test.ts',
  'test/sim/moving-base.test.ts',
  'test/core/state/evaluate.test.ts',
];

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project.name);
    return [...byProject.values()].flatMap((ofProject) =>
      ofProject.toSorted((one, other) => rank(one) - rank(other)),
    );
  }
}

function rank({ moduleId }: TestSpecification): number {
  const index = SLOWEST_FILES.findIndex((path) => moduleId.endsWith(`/${path}`));
  return index === -1 ? SLOWEST_FILES.length : index;
}
