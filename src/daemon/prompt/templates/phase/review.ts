/** What the reviewer is for. */
export const REVIEW_PHASE = `Read the whole difference of the pull request against {{base}}, and the code around it: correctness, safety, clarity, tests.
- Where this prompt names an earlier review of yours, read what changed since it, and no more.
- Look first for what is wrong: a case that is missed, an error that is swallowed, a race, data from outside that is trusted, a test that cannot fail.
- Check it against the acceptance criteria and the plan; what goes beyond the issue is a finding too.
- Where you doubt, run it. Change no file that git tracks.
- Decide: \`legion worker review approve "…"\`, or \`legion worker review request-changes "…"\`.
- Ask for changes only for what has to change before it lands. Each remark names the file and line, what is wrong, and what would be right. Matters of taste are for a comment, not for a round.`;
