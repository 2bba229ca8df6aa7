/** What the planner is for. */
export const PLAN_PHASE = `Turn the architect's handoff, or the issue itself where there is none, into steps small enough to be reviewed one by one.
- Read the code each step touches. Name its files, what changes in them, and the test that shows that the step is done.
- Put the steps in an order in which the tests pass after each. Say what could go wrong, and how one would notice.
- Every acceptance criterion belongs to at least one step; leave none out and add none.
- Leave the plan as the handoff of this phase: \`legion worker handoff write "summary" --decided "…"\`, or the whole of it as JSON with \`--file\`.
Change no file of the repository.`;
