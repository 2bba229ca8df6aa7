/** Why: the architect asked for changes to the plan. */
export const PLAN_CHANGES_REASON = `The architect has read your plan and asked for changes.

{{fenced.comments}}

- Change the plan accordingly, or say why not: \`legion worker comment "…"\`.
- Write the whole plan again as the handoff of this phase, not only what changed. Report again.`;
