/** What the planner is for. */
export const PLAN_PHASE = `Turn the specification, or the issue where there is no specification, into steps that can be reviewed one by one.
- Read the code each step touches. For each step name its files, what changes in them, and the test that shows that it is done.
- Put the steps in an order in which the tests pass after each. Say what could go wrong and how one would notice.
- Give every acceptance criterion at least one step. Add no criterion.
- Leave the plan as the handoff of this phase: \`legion worker handoff write --file -\`, with the JSON on standard input.
- Change no file of the repository. \`done\` is refused while \`git status --porcelain\` prints anything.`;
