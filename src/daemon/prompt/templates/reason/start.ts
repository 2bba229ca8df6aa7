/** Why: the phase is due. */
export const START_REASON = `The {{phase}} phase of {{issue}} is due. Carry it out.

{{round}}`;
