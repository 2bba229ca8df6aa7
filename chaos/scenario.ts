/** What the workers of a run play: the built-in work, some of it so slow that a kill finds it under way. */

/** By the last digit of an issue: from a tenth of a second to three, so that some outlive several daemons. */
const PACES_MS = [100, 200, 400, 600, 800, 1_000, 1_300, 1_700, 2_200, 3_000] as const;

/** Filled in by the agent. */
const ISSUE = `\${issue}`;

const SLOW = {
  architect: [{ handoff: `Specification of ${ISSUE}` }, { done: `Wrote the specification of ${ISSUE}` }],
  plan: [{ handoff: `Plan of ${ISSUE}` }, { done: `Planned ${ISSUE}` }],
  test: [{ verdict: { result: 'pass', suites: ['unit'] } }, { done: `Gave the verdict on ${ISSUE}` }],
  review: [{ review: { verdict: 'approve', text: `Read ${ISSUE}.` } }, { done: `Approved ${ISSUE}` }],
} as const;

/** As a scenario file; a phase without a rule plays what is built in. */
export function scenario(): string {
  const rules = PACES_MS.flatMap((ms, digit) =>
    Object.entries(SLOW).map(([phase, steps]) => ({
      issue: `*${digit}`,
      phase,
      steps: [{ think: `${ms}ms` }, ...steps],
    })),
  );
  return JSON.stringify({ rules });
}
