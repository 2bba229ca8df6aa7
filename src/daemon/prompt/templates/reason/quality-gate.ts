/** Why: the quality gate is red. */
export const QUALITY_GATE_REASON = `The quality gate of the repository, which the host itself runs in your workspace, is red at commit {{commit}}.

{{fenced.output}}

Run the same command here until it passes. Mend the code: do not loosen the gate's rules, switch them off in place, or change its command.
Then commit, \`legion worker push\`, and report again. The gate runs once more before anybody tests the work.`;
