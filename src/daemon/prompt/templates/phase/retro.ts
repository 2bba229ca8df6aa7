/** What looking back is for. */
export const RETRO_PHASE = `Write down what the next person should know, so that the same trouble is not paid for twice.
- What was hard and why, what was tried and did not work, what turned out otherwise than planned, how one could have known earlier. No diary, no praise.
- One short page below \`docs/solutions/\`, with a name that says the problem; add to a page that is there about the same. If nothing was learnt, say that in one sentence.
- Change only these paths: {{retro_paths}}. Any other change makes the tests and the review void and sends the work back.
- Commit, push with \`legion worker push\`, and leave the handoff of this phase.`;
