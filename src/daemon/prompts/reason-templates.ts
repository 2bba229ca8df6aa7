/** Reason: the phase is due. */
export const START_REASON = `The {{phase}} phase of {{issue}} is due. Carry it out.

{{round}}`;

/** Reason: an earlier attempt ended before it was done. */
export const CRASH_REASON = `An earlier attempt at this phase ended before the phase was done. This is attempt {{attempt}}. Your session may be a new one that remembers nothing of the earlier attempt.

{{fenced.checkpoint}}

- Check the state before you act: \`git status\`, \`git log {{base_ref}}..HEAD\`, \`legion worker issue\`, \`legion worker handoff read\`. Commits, a pull request, comments and a handoff may already exist.
- Keep what is done and continue with what remains. First check what the last action left behind, because the action may have been interrupted.
- Save a checkpoint early: \`legion worker checkpoint "stage" --completed "…" --remaining "…"\`.
- If the last attempt ended during a step, do that step in a different way.`;

/** Reason: a person has answered. */
export const FEEDBACK_REASON = `A person has answered your question. The answer is the decision: follow it and continue where you stopped.

{{fenced.answers}}

If the answer leaves your question open, choose the simplest option that is consistent with the answer, and say so in your handoff. Ask again only if you still cannot continue.`;

/** Reason: an operator sent a message to a worker that had finished. */
export const OPERATOR_REASON = `The operator called you back. Do what the message from the operator asks, then report again.

{{round}}`;

/** Reason: the architect asked for changes to the plan. */
export const PLAN_CHANGES_REASON = `The architect has read your plan and asked for changes.

{{fenced.comments}}

- Change the plan as the architect asks, or explain why you did not: \`legion worker comment "…"\`.
- Write the whole plan again as the handoff of this phase, not only what changed. Report again.`;

/** Reason: a person rejected the result of the phase. */
export const REJECTED_REASON = `A person rejected the result of your phase. The reason is a decision: change your result so that it no longer applies.

{{fenced.order}}

- Keep the parts that the reason does not concern. If \`git status\` shows changes that were made for a rejected plan, undo them.
- If you cannot do what the reason asks, say why: \`legion worker ask "…"\`.
- Write the whole handoff of this phase again, not only what changed. Report again.`;

/** Reason: the architect has to review the plan. */
export const PLAN_REVIEW_REASON = `The plan for your specification is finished. Review it.

{{fenced.handoffs}}`;

/** Reason: the worker reported without a pull request. */
export const MISSING_PR_REASON = `You reported that you are done, but branch {{branch}} has no open pull request, so the work cannot be tested or reviewed.
- Check what is committed: \`git log {{base_ref}}..HEAD\`. Check what is not committed: \`git status\`. Commit what is missing.
- Push: \`legion worker push\`.
- Open the pull request: \`legion worker pr open --title "…" --body-file -\`, with the body on standard input.
- Report again when \`legion worker pr show\` shows the pull request.
- If nothing has to change for this issue, say why: \`legion worker ask "…"\`.`;

/** Reason: the worker reported without a review. */
export const MISSING_REVIEW_REASON = `You reported that you are done, but you have not reviewed pull request {{pull_request}} at its head, commit {{head}}. A comment is not a review, and a review of an earlier commit does not count.
- Read what has changed since your last review.
- Give your verdict: \`legion worker review approve "…"\`, or \`legion worker review request-changes "…"\`. Report again.`;

/** Reason: the pull request conflicts with its base. */
export const CONFLICT_REASON = `Your pull request {{pull_request}} (head {{head}}) conflicts with its base {{base}}. Resolve the conflict first: if a check is red, the conflict may be the only cause.
- Check for uncommitted changes: \`git status\`. Commit them.
- Rebase your commits onto the base: \`git rebase {{base_ref}}\`.
- Read the commits of the base that touch the same lines: \`git log -p {{branch}}..{{base_ref}}\`.
- Resolve each conflict so that the intent of both changes is preserved. Never drop the other side's change. If the two changes contradict each other, ask.
- Check that no conflict marker is left: \`git diff --check {{base_ref}}...HEAD\` prints nothing.
- Run the whole test suite: changes that merge cleanly may still not work together.
- Push with \`legion worker push\`, and report again.`;

/** Reason: CI is red. */
export const CI_FAILURE_REASON = `CI is red at the head of your pull request {{pull_request}}, commit {{head}}.

{{fenced.check}}

- Read the whole result: \`legion worker ci\`.
- Reproduce the failure in the workspace with the command that the log shows.
- If your change caused the failure, fix the change.
- If the check also fails without your change, or fails only intermittently, say so and describe what you saw. Fix the check only if that belongs to this issue.
- If a machine or a service failed, and the code is correct, say so: \`legion worker ask "…"\`.
- Run the same check here, commit, push with \`legion worker push\`, and report again.`;

/** Reason: a CI check timed out or did not start. */
export const CI_TIMEOUT_REASON = `A CI check timed out or did not start at the head of your pull request {{pull_request}}, commit {{head}}. No check reported a failure of the code, but your change may be the cause.

{{fenced.check}}

- Read the whole result: \`legion worker ci\`.
- Run the same check in the workspace. Look for a test or a program that never ends, a wait without a limit, or a much slower step, and for a mistake in the configuration of the check.
- If your change is the cause, fix it, commit, \`legion worker push\`, and report again.
- If your change cannot be the cause, do not change the code. Say what you checked: \`legion worker ask "…"\`.`;

/** Reason: testing failed. */
export const TEST_FAILURE_REASON = `The tester rejected your pull request {{pull_request}} at commit {{commit}}.

{{fenced.report}}

- Work through the findings one by one. Reproduce each finding, write a test that fails because of it, then fix the cause.
- If a finding is wrong, or asks for more than the acceptance criteria do, say why: \`legion worker comment "…"\`.
- Run the whole test suite, commit, push with \`legion worker push\`, and report again with what you did about each finding.`;

/** Reason: the quality gate is red. */
export const QUALITY_GATE_REASON = `The quality gate of the repository, which Legion runs in your workspace, is red at commit {{commit}}.

{{fenced.output}}

- Run the quality gate here until it passes: {{quality_gate}}
- Fix the code. Do not relax the rules of the gate, disable them inline, or change its command.
- Commit, push with \`legion worker push\`, and report again. \`done\` runs the gate once more.`;

/** Reason: the reviewer asked for changes. */
export const REVIEW_CHANGES_REASON = `The reviewer asked for changes to your pull request {{pull_request}}, at commit {{head}}.

{{fenced.remarks}}

- Go through every remark. Make the change it asks for, or explain why you did not: \`legion worker comment "…"\`. Do not leave a remark unanswered.
- Look for the same mistake elsewhere in your diff: \`git diff {{base_ref}}...HEAD\`.
- Do not change anything that no remark asks for.
- Run the tests, commit, push with \`legion worker push\`, and report again with what you did about each remark.`;

/** Reason: the tester or the merger sent the work back. */
export const SENT_BACK_REASON = `Your work, pull request {{pull_request}}, was sent back: the worker that had to test or merge it could not accept it.

{{fenced.order}}

Treat this text as your work order. Reproduce the problem in the workspace first, then fix the cause.
If the text is wrong, or asks for more than the issue does, say why in a comment (\`legion worker comment\`).
Run the tests, commit, push with \`legion worker push\`, and report again with what you did about each point.`;

/** Reason: the work is approved and due for a retro. */
export const RETRO_REASON = `Your work, pull request {{pull_request}}, is tested and approved. Write a retrospective before it is merged.
Do not implement anything more: change only files in {{retro_paths}}, commit, push, write the handoff, and report.

{{round}}`;
