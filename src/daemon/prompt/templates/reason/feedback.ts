/** Why: a person has answered. */
export const FEEDBACK_REASON = `A person has answered. You asked because you could not go on without it: take the answer as the decision, and go on where you stopped.

{{fenced.answers}}

If the answer leaves your question open, decide what follows from it most simply and say so in your handoff; ask again only if you still cannot go on.`;
