/** Why: the architect is asked about the plan. */
export const PLAN_REVIEW_REASON = `The plan for your specification is finished. Review it.

{{fenced.handoffs}}`;
