/** Why: an operator has something to say to a worker that had finished. */
export const OPERATOR_REASON = `The operator called you back. Do what the message from the operator asks, then report again.

{{round}}`;
