/** Why: the phase begins. */
export const START_REASON = `This phase begins now.`;
