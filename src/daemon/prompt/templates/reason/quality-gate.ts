/** Why: the quality gate is red. */
export const QUALITY_GATE_REASON = `The quality gate of the repository, which Legion runs in your workspace, is red at commit {{commit}}.

{{fenced.output}}

- Run the quality gate here until it passes: {{quality_gate}}
- Fix the code. Do not loosen the rules of the gate, switch them off in place, or change its command.
- Commit, \`legion worker push\`, and report again. \`done\` runs the gate once more.`;
