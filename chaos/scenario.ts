/**
 * Defines what the workers of a run do: the built-in scenario, with delays in some phases so that
 * kills can interrupt them.
 */

/**
 * Delay of a worker, by the last digit of its issue. The delays range from a tenth of a second to
 * three seconds, so that some workers outlive several daemons.
 */
const PACES_MS = [100, 200, 400, 600, 800, 1_000, 1_300, 1_700, 2_200, 3_000] as const;

/** Placeholder that the agent fills in. */
const ISSUE = `\${issue}`;

const SLOW = {
  architect: [{ handoff: `Specification of ${ISSUE}` }, { done: `Wrote the specification of ${ISSUE}` }],
  plan: [{ handoff: `Plan of ${ISSUE}` }, { done: `Planned ${ISSUE}` }],
  test: [{ verdict: { result: 'pass', suites: ['unit'] } }, { done: `Gave the verdict on ${ISSUE}` }],
  review: [{ review: { verdict: 'approve', text: `Read ${ISSUE}.` } }, { done: `Approved ${ISSUE}` }],
} as const;

/** Returns the scenario file's content. A phase without a rule uses the built-in scenario. */
export function buildScenario(): string {
  const rules = PACES_MS.flatMap((ms, digit) =>
    Object.entries(SLOW).map(([phase, steps]) => ({
      issue: `*${digit}`,
      phase,
      steps: [{ think: `${ms}ms` }, ...steps],
    })),
  );
  return JSON.stringify({ rules });
}
