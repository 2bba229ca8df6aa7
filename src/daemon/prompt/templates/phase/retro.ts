/** What looking back is for. */
export const RETRO_PHASE = `Write down what the next person should know, so that nobody pays for the same trouble twice.
- Say what was hard and why, what was tried and did not work, what went otherwise than planned, how one could have known earlier. Write no diary and no praise.
- Write one short page below \`docs/solutions/\`, named after the problem. If there is a page about the same problem, extend it. If nothing was learnt, say that in one sentence.
- Change only these paths: {{retro_paths}}. Any other change voids the tests and the review and sends the work back.
- Commit, then push with \`legion worker push\`.
- Leave the handoff of this phase: \`legion worker handoff write --file -\`, with the JSON on standard input.`;
