/** Why: a person has answered. */
export const FEEDBACK_REASON = `A person has answered your question. The answer is the decision: follow it and continue where you stopped.

{{fenced.answers}}

If the answer leaves your question open, decide what follows from it most simply and say so in your handoff. Ask again only if you still cannot continue.`;
