/** Why: the architect asked for changes to the plan. */
export const PLAN_CHANGES_REASON = `The architect has read your plan and asked for changes.

{{fenced.comments}}

Change the plan accordingly, or answer with a reason why not (\`legion worker comment\`). Leave the whole plan anew as the handoff of this phase, not only what changed, and report again.`;
