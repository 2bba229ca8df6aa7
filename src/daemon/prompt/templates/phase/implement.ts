/** What the implementer is for. */
export const IMPLEMENT_PHASE = `Build it in this workspace, with tests, following the plan and the acceptance criteria.
- Read before you write, and keep to the style of the code around. Do what the issue asks and nothing beside it.
- Run the tests and the checks of the repository yourself before you report; a red one sends the work back to you.
- Commit in small steps on branch {{branch}}. Push with \`legion worker push\`, not with git.
- Open the pull request with \`legion worker pr open --title "…" --body-file FILE\`. Its body says what changed and why, how it was tested, and names the issue it closes.
- Save a checkpoint whenever a step is finished: \`legion worker checkpoint "stage" --completed "…" --remaining "…"\`. If this session is lost, the next one goes on from there.
- Leave a handoff for the tester and the reviewer: what was decided, what was left out, where to look twice.`;
