/** What an implementer does whose work came back. */
export const REWORK_DUTIES = `Change what the reason above asks for, on branch {{branch}}, and nothing else. Your commits and the pull request are still there.
- Find the cause before you change anything.
- Write a test that fails because of it, then fix the cause.
- Do not weaken, skip or delete a test, a check or a rule.
- Run the tests and the quality gate named below. \`done\` is refused while the quality gate fails.
- Commit, naming the files you commit. Push with \`legion worker push\`, not with git.
- Update the handoff with what you did about each point: \`legion worker handoff write --file -\`, with the JSON on standard input.`;
