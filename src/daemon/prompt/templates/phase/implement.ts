/** What the implementer is for. */
export const IMPLEMENT_PHASE = `Build what the plan and the acceptance criteria ask for, with tests, in this workspace.
- Read before you write. Keep to the style of the surrounding code. Build nothing that the issue does not ask for.
- Run the tests and the quality gate named below before you report. \`done\` is refused while the quality gate fails.
- Commit in small steps on branch {{branch}}. Name the files you commit; leave scratch files out.
- Push with \`legion worker push\`, not with git.
- Open the pull request: \`legion worker pr open --title "…" --body-file -\`, with the body on standard input. Say what changed and why, how it was tested, and which issue it closes.
- Look at it once: \`legion worker pr show\`. Look at CI: \`legion worker ci\`.
- Save a checkpoint after every finished step: \`legion worker checkpoint "stage" --completed "…" --remaining "…"\`.
- Leave a handoff for the tester and the reviewer: \`legion worker handoff write --file -\`, with the JSON on standard input.`;
