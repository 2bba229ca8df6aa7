/** Why a session is started or continued, said to the agent in a sentence. */
import type { Purpose } from '../../domain/command.ts';

export const WHY: Readonly<Record<Purpose, string>> = {
  start: 'This phase begins now.',
  retro: 'The work is reviewed and approved; before it is merged, look back on it.',
  ci_failure: 'CI is red at the head of your pull request. Mend it, push, and report again.',
  test_failure: 'The tester did not pass your work. Mend what was found, push, and report again.',
  review_changes: 'The reviewer asked for changes. Make them or answer them, push, and report again.',
  conflict:
    'Your pull request conflicts with its base. Merge or rebase the base, resolve it, push, and report again.',
  quality_gate: 'The quality gate of the repository is red at your commit. Mend it, push, and report again.',
  plan_review:
    'The plan is finished. Review it against your specification: `legion worker plan-review approve|request-changes`.',
  plan_changes: 'The architect asked for changes to your plan. Make them, and leave the handoff anew.',
  feedback: 'A person has answered.',
  missing_pr:
    'You reported that you are done, but there is no pull request. Push and open it, then report again.',
  missing_review:
    'You reported that you are done, but there is no review at the head of the pull request. Give it, then report again.',
  crash: 'An earlier attempt at this ended before it was done. Do not redo what is done; go on from there.',
};
