/**
 * Every reason that a decision can give, described for people, and what ends the resulting state of
 * the issue.
 */
import type { EndCondition } from '../model/action.ts';

const waitForEvent = (what: string): EndCondition => ({ by: 'event', what });
const waitForPerson = (what: string, next: string): EndCondition => ({ by: 'person', what, next });
const waitForTime = (what: string): EndCondition => ({ by: 'time', what });

const UNTIL_WORKER_REPORTS = waitForEvent('the worker reports, asks a question or fails');
const UNTIL_RECORDED = waitForEvent('this is recorded, which takes a moment');
const UNTIL_NEXT_POLL = waitForTime(
  'the next event or poll shows the result; if the result does not arrive in time, the issue appears in your inbox',
);

export const REASONS = {
  terminal: { says: 'The issue is closed.', until: { by: 'nothing_more', what: 'nothing more will happen' } },
  done: { says: 'The issue is Done.', until: { by: 'nothing_more', what: 'nothing more will happen' } },
  unknown_status: {
    says: 'Legion does not know this board column.',
    until: waitForPerson(
      'someone moves the issue to a known column or maps this one under `statuses`',
      'legion issue move ISSUE STATUS',
    ),
  },
  waits_for_answer: {
    says: 'A question is open.',
    until: waitForPerson(
      'someone answers it (`legion answer`, or the label user-feedback-given)',
      'legion answer ISSUE "…"',
    ),
  },
  answered: { says: 'A person has answered.', until: UNTIL_WORKER_REPORTS },
  paused: {
    says: 'The issue is paused.',
    until: waitForPerson(
      'someone runs `legion resume ISSUE`, or removes the label legion-paused',
      'legion resume ISSUE',
    ),
  },
  halted: {
    says: 'The legion is halted: every worker was stopped, and no worker starts.',
    until: waitForPerson('someone runs `legion resume`', 'legion resume'),
  },
  legion_paused: {
    says: 'The legion is paused: no worker starts.',
    until: waitForPerson('someone runs `legion resume`', 'legion resume'),
  },
  revert_open: {
    says: 'No work starts on the issue while its revert is open.',
    until: waitForPerson('someone merges or closes the revert', 'legion issue show ISSUE'),
  },
  revert_unknown: {
    says: 'No work starts on the issue: the forge does not report whether its revert is still open.',
    until: UNTIL_NEXT_POLL,
  },
  split_waits: {
    says: 'The issue was split; its sub-issues are not all done.',
    until: waitForEvent('the last sub-issue is done'),
  },
  split_done: { says: 'All sub-issues are done.', until: UNTIL_RECORDED },
  rejected: { says: 'A person rejected the work.', until: UNTIL_WORKER_REPORTS },
  approved: { says: 'A person approved the architect’s output.', until: UNTIL_RECORDED },
  waits_for_approval: {
    says: 'An approval is due.',
    until: waitForPerson(
      'someone approves (`legion approve`, or the label human-approved)',
      'legion approve ISSUE',
    ),
  },
  waits_for_quota: {
    says: 'The provider is currently rejecting the worker’s requests.',
    until: waitForTime('the provider’s reset time has come'),
  },
  agent_asked: {
    says: 'Legion is checking whether the agent for this phase can work.',
    until: waitForEvent('the agent has answered, which takes at most 30 seconds'),
  },
  agent_limited: {
    says: 'Every agent for this phase has run out of quota.',
    until: waitForTime('the provider’s reset time has come'),
  },
  agent_not_ready: {
    says: 'No agent for this phase is ready.',
    until: waitForPerson('someone fixes what `legion doctor` reports about the agent', 'legion doctor'),
  },
  agent_not_chosen: {
    says: 'No agent is chosen for this phase.',
    until: waitForPerson(
      'someone runs `legion init`, or sets `agents.default.agent` in legion.yaml',
      'legion init',
    ),
  },
  consent_required: {
    says: 'The operator has not yet agreed to what real workers may do and spend.',
    until: waitForPerson('someone runs `legion up` and agrees', 'legion up'),
  },
  preflight_failed: {
    says: 'A problem would stop every issue at the end of its pipeline, so no worker starts.',
    until: waitForPerson(
      'someone fixes the problem that the evidence describes; work then starts by itself',
      'legion doctor',
    ),
  },
  preflight_running: {
    says: 'Legion is checking whether the repository is ready for work.',
    until: waitForEvent('the check, or the baseline run on the base branch, has finished'),
  },
  board_stale: {
    says: 'The board could not be read for two polling intervals, so no worker starts.',
    until: waitForEvent('the board can be read again; `legion status` shows the problem'),
  },
  worker_lost: {
    says: 'The issue has the label worker-active, but none of its workers is running.',
    until: UNTIL_RECORDED,
  },
  worker_live: { says: 'A worker is working on it.', until: UNTIL_WORKER_REPORTS },
  remains_alive: {
    says: 'A process of the failed worker is still running.',
    until: waitForEvent('Legion has stopped that process'),
  },
  respawn_wait: { says: 'The worker failed a moment ago.', until: waitForTime('the back-off ends') },
  crash_limit: { says: 'The worker has reached its crash limit.', until: UNTIL_RECORDED },
  budget_spent: { says: 'The budget is used up.', until: UNTIL_RECORDED },
  day_budget_spent: {
    says: 'The daily budget is used up.',
    until: waitForTime('local midnight has passed, or `budgets.day` in legion.yaml was raised'),
  },
  budget_zero: {
    says: 'A budget is 0, so nothing starts.',
    until: waitForPerson(
      'someone raises it in legion.yaml, or sets it to `none`',
      'edit budgets in legion.yaml',
    ),
  },
  no_progress: {
    says: 'The worker completes turn after turn without making progress.',
    until: UNTIL_RECORDED,
  },
  answered_us: { says: 'A person has answered Legion’s question.', until: UNTIL_RECORDED },
  reference_unreadable: {
    says: 'The issue may be blocked by something that Legion cannot read.',
    until: waitForPerson('someone fixes the problem shown on the issue', 'legion issue show ISSUE'),
  },
  blocked: { says: 'Another issue has to be done first.', until: waitForEvent('the last blocker is done') },

  routed: { says: 'Triage has chosen its status.', until: UNTIL_RECORDED },
  unclarified: {
    says: 'The issue is not clear enough to work on.',
    until: waitForPerson(
      'someone adds the details that the comment asks for, to the text or in a comment, or sets the label user-feedback-given',
      'legion issue comment ISSUE "…"',
    ),
  },
  parked: {
    says: 'A person put it into the Icebox.',
    until: waitForPerson('someone moves it to another status', 'legion issue move ISSUE Backlog'),
  },
  no_capacity: { says: 'All worker slots are taken.', until: waitForEvent('a worker ends') },
  stagger: {
    says: 'Another worker was started a moment ago.',
    until: waitForTime('the gap between two starts has passed'),
  },
  breaker_open: {
    says: 'No worker starts at the moment, because several crashed at once.',
    until: waitForPerson('someone runs `legion resume`, or the host checks pass', 'legion resume'),
  },
  not_its_turn: {
    says: 'An older issue comes first.',
    until: waitForEvent('the older issue has left the Icebox'),
  },
  clarified: { says: 'A person has clarified it and a slot is free.', until: UNTIL_RECORDED },

  /** Never decided by the engine, only shown: the reconcile loop skips such an issue. */
  not_trusted: {
    says: 'Its author does not have permission to start workers here.',
    until: waitForPerson(
      'someone with write access to the repository takes over the issue',
      'legion issue show ISSUE',
    ),
  },
  /** Never decided by the engine: recorded when an operator overrides the order of phases. */
  forced: { says: 'A person overrode the order of the phases.', until: UNTIL_WORKER_REPORTS },
  due: { says: 'This phase has not been worked on yet.', until: UNTIL_WORKER_REPORTS },
  finished: { says: 'The phase is finished.', until: UNTIL_RECORDED },
  approval_due: { says: 'The phase is finished and a person has to approve.', until: UNTIL_RECORDED },
  plan_review_due: { says: 'The architect has to review the plan.', until: UNTIL_WORKER_REPORTS },
  plan_changes: { says: 'The architect asked for changes to the plan.', until: UNTIL_WORKER_REPORTS },

  no_pr: { says: 'The worker is done, but there is no pull request.', until: UNTIL_NEXT_POLL },
  nothing_to_judge: { says: 'There is no pull request yet to test, review or merge.', until: UNTIL_RECORDED },
  no_review: { says: 'The reviewer is done, but there is no review of this commit.', until: UNTIL_NEXT_POLL },
  still_no_pr: { says: 'There is still no pull request.', until: UNTIL_RECORDED },
  still_no_review: { says: 'There is still no review of this commit.', until: UNTIL_RECORDED },
  pr_unknown: { says: 'The pull request could not be read.', until: UNTIL_NEXT_POLL },
  ci_unknown: { says: 'The CI result could not be read.', until: UNTIL_NEXT_POLL },
  ci_pending: { says: 'CI is still running.', until: UNTIL_NEXT_POLL },
  ci_timed_out: {
    says: 'A CI check timed out or did not start.',
    until: UNTIL_WORKER_REPORTS,
  },
  ci_interrupted: {
    says: 'A CI check was cancelled or reached no verdict.',
    until: waitForPerson('someone runs the check again; Legion then continues by itself', 'legion ci ISSUE'),
  },
  ci_action_required: {
    says: 'A CI check needs a person’s action.',
    until: waitForPerson(
      'someone does what the check asks; Legion then continues by itself',
      'legion ci ISSUE',
    ),
  },
  ci_failing: { says: 'CI is red.', until: UNTIL_WORKER_REPORTS },
  review_unknown: { says: 'The reviews could not be read.', until: UNTIL_NEXT_POLL },
  mergeable_unknown: {
    says: 'The forge has not reported whether the pull request can be merged.',
    until: UNTIL_NEXT_POLL,
  },
  evidence_unknown: {
    says: 'Legion could not read which files have changed since the tests or the review.',
    until: UNTIL_NEXT_POLL,
  },
  auto_merge_unknown: { says: 'The auto-merge gate could not be evaluated.', until: UNTIL_NEXT_POLL },
  conflicting: { says: 'The pull request conflicts with its base.', until: UNTIL_WORKER_REPORTS },
  changes_requested: { says: 'The reviewer asked for changes.', until: UNTIL_WORKER_REPORTS },
  sent_back: {
    says: 'The tester or the merger rejected the work and sent it back.',
    until: UNTIL_WORKER_REPORTS,
  },
  tests_failed: { says: 'The work did not pass testing.', until: UNTIL_WORKER_REPORTS },
  tests_void: { says: 'New commits were added after the tests.', until: UNTIL_WORKER_REPORTS },
  tests_could_not_run: { says: 'The tests could not be run.', until: UNTIL_RECORDED },
  review_void: { says: 'New commits were added after the review.', until: UNTIL_RECORDED },
  retro_due: { says: 'The retro has not been done.', until: UNTIL_WORKER_REPORTS },
  quality_gate_due: {
    says: 'The quality gate has not been run at this commit.',
    until: waitForEvent('the host has run the quality gate'),
  },
  quality_gate_red: { says: 'The quality gate is red.', until: UNTIL_WORKER_REPORTS },
  quality_gate_could_not_run: { says: 'The quality gate could not be run.', until: UNTIL_RECORDED },
  nothing_checked: {
    says: 'There is neither CI nor a quality gate: nothing has checked this commit. Put commands.quality_gate, or on the local forge commands.ci, into .legion/config.yml on the base branch and approve it (`legion approve --commands`), or set up CI for the repository; then answer.',
    until: UNTIL_RECORDED,
  },
  scripted_work: {
    says: 'The scripted agent worked on this, and its work is never merged outside a demo repository.',
    until: waitForPerson(
      'someone closes the issue and recreates it for a real agent (`agents.default.agent`)',
      'legion issue add "…"',
    ),
  },
  keyword_missing: { says: 'The pull request does not state which issue it closes.', until: UNTIL_RECORDED },
  merge_ready: { says: 'Every condition for the merge is met.', until: UNTIL_WORKER_REPORTS },
  checkout_in_use: {
    says: 'Uncommitted changes in your own checkout of the base branch overlap with this merge.',
    until: waitForPerson(
      'someone commits or stashes these files; the merge then continues by itself',
      'git stash push --all -- FILE…',
    ),
  },
  merged: { says: 'The pull request is merged.', until: UNTIL_RECORDED },

  waited_too_long: {
    says: 'The check has not finished within limits.check_wait.',
    until: waitForPerson('someone looks into it; Legion keeps checking', 'legion explain ISSUE --details'),
  },
  round_limit: {
    says: 'The work has been sent back as often as limits.rounds allows.',
    until: UNTIL_RECORDED,
  },
} as const satisfies Readonly<Record<string, { readonly says: string; readonly until: EndCondition }>>;

export type ReasonCode = keyof typeof REASONS;

/**
 * Reasons for which the engine itself pauses an issue or asks a person a question. The issue then
 * stops until a person acts.
 */
export type StopReason =
  | 'crash_limit'
  | 'budget_spent'
  | 'no_progress'
  | 'still_no_pr'
  | 'still_no_review'
  | 'quality_gate_could_not_run'
  | 'tests_could_not_run'
  | 'round_limit'
  | 'nothing_checked';

/** Reason why a worker may not start yet, and the action that replaces its start. */
export type StartRefusal =
  | { readonly action: 'skip'; readonly reason: ReasonCode; readonly fact: string }
  | { readonly action: 'add_legion_paused'; readonly reason: StopReason; readonly fact: string };
