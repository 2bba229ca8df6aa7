/** What the reviewer is for. */
export const REVIEW_PHASE = `Read the whole difference of the pull request against {{base}}, and the code around it.
- Read what the pull request says: \`legion worker pr show\`. See what CI says: \`legion worker ci\`.
- Read the difference: \`git diff {{base_ref}}...HEAD\`.
- Where this prompt names an earlier review of yours, read what changed since it, and no more.
- Look for what is wrong: a missed case, a swallowed error, a race, trusted input from outside, a test that cannot fail.
- Check it against the acceptance criteria and the plan. What goes beyond the issue is a finding too.
- Where you doubt, run it. Change no file that git tracks.
- Decide: \`legion worker review approve "…"\`, or \`legion worker review request-changes "…"\`.
- Request changes only for what must change before it lands. Give each remark a file and line, what is wrong, and what would be right. Put matters of taste into a comment.`;
