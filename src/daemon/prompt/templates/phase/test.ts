/** What the tester is for. */
export const TEST_PHASE = `Try what was built at the head of the pull request against the acceptance criteria, as a user would, and with bad input.
- Read what was built: \`legion worker pr show\`. See what CI says: \`legion worker ci\`.
- Run the tests named below. Then try each criterion yourself: reading the code is not a test, and a suite that passes may not cover it.
- Try what nobody mentions: empty and huge input, wrong types, the same thing twice, a failure in the middle.
- Change no file that git tracks. Leave nothing of your trials in the workspace.
- Give the verdict: \`legion worker verdict pass --suite unit --detail "…"\`, or \`legion worker verdict fail --suite unit --detail "…"\`. Name the suites that really ran.
- For each finding state what you did, what you expected and what happened. The implementer sees nothing else of your work.
- If there is nothing to try (no pull request, it does not build, it is not about this issue), give no verdict: \`legion worker done --sent-back "what is wrong, and why"\`. The work goes back to the implementer.`;
