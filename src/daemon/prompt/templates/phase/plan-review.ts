/** What an architect does who is asked about the plan. */
export const PLAN_REVIEW_DUTIES = `Compare the plan with your specification. Write no specification, no split and no file.
- Check that every acceptance criterion has a step and a test.
- Check that the steps keep to the interfaces you named.
- Check that nothing is planned that nobody asked for.
- If the plan is right: \`legion worker plan-review approve "…"\`.
- Otherwise: \`legion worker plan-review request-changes "…"\`, with what has to change and why.`;
