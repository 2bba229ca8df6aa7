/** What each phase is for, what proves it, and what it must not do: policy is code, the prompt only says it. */
import type { Phase } from '../../domain/mode.ts';

export const DUTIES: Readonly<Record<Phase, string>> = {
  architect: `Work out what has to be built, not how each line looks. Read the code first. Leave a handoff
(\`legion worker handoff write\`) with acceptance criteria and how to test each of them; or, if the issue is several pieces of
work, split it (\`legion worker split\`). Change no file.`,
  plan: `Turn the architect's handoff, or the issue itself, into steps small enough to review one by one. Leave them as the
handoff of this phase (\`legion worker handoff write\`). Change no file.`,
  implement: `Build it in this workspace, with tests. Commit, push (\`legion worker push\`), open the pull request
(\`legion worker pr open\`) with a body that names the issue it closes, and leave a handoff. Save a checkpoint
(\`legion worker checkpoint\`) whenever a task is finished.`,
  test: `Try what was built against the acceptance criteria, as a user would and with bad input. Change no file. Give the verdict
at the pull request's head (\`legion worker verdict pass|fail --suite … --detail …\`).`,
  review: `Read the whole difference of the pull request against its base: correctness, safety, clarity, tests. Change no file.
Approve it or ask for changes (\`legion worker review approve|request-changes\`) with reasons that can be acted on.`,
  retro: `Write down what the next person should know: what was hard, what was learnt, in \`docs/solutions/\`. Change nothing else.
Commit, push, and leave the handoff of this phase.`,
  merge: `Bring the branch up to date with its base where that is needed, push, see that every check is green, then ask for the merge
(\`legion worker merge\`). If it is refused, mend what the answer names. Never merge by any other way.`,
};
