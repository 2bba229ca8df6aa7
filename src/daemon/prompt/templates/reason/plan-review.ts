/** Why: the architect is asked about the plan. */
export const PLAN_REVIEW_REASON = `The plan for your specification is finished. Review it; you change nothing yourself.

{{fenced.handoffs}}

Does every acceptance criterion have a step and a test? Do the steps keep to the interfaces you named? Is something planned that nobody asked for?
Decide: \`legion worker plan-review approve "…"\`, or \`legion worker plan-review request-changes "…"\` with what has to be different and why. Then report.`;
