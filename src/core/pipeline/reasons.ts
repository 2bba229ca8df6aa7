/** Every reason a decision can give, in words for people, and what ends the state it leaves the issue in. */
import type { Until } from '../../domain/decision.ts';

const worker = (what: string): Until => ({ by: 'event', what });
const person = (what: string, next: string): Until => ({ by: 'person', what, next });
const time = (what: string): Until => ({ by: 'time', what });

const REPORTS = worker('the worker reports, asks a question or fails');
const NEXT_LOOK = worker('this is recorded, which takes a moment');
const NEXT_POLL = time(
  'the next event or poll shows the result; if that takes too long, it is in your inbox',
);

export const REASONS = {
  terminal: { says: 'The issue is closed.', until: { by: 'nothing_more', what: 'nothing more will happen' } },
  done: { says: 'The issue is Done.', until: { by: 'nothing_more', what: 'nothing more will happen' } },
  unknown_status: {
    says: 'The board column is not one Legion knows.',
    until: person(
      'someone moves the issue to a known column or maps this one under `statuses`',
      'legion issue move ISSUE STATUS',
    ),
  },
  waits_for_answer: {
    says: 'A question is open.',
    until: person(
      'someone answers it (`legion answer`, or the label user-feedback-given)',
      'legion answer ISSUE "…"',
    ),
  },
  answered: { says: 'A person has answered.', until: REPORTS },
  paused: {
    says: 'The issue is paused.',
    until: person(
      'someone runs `legion resume ISSUE`, or removes the label legion-paused',
      'legion resume ISSUE',
    ),
  },
  halted: {
    says: 'The legion is halted: every worker was stopped and none is started.',
    until: person('someone runs `legion resume`', 'legion resume'),
  },
  legion_paused: {
    says: 'The legion is paused: no worker is started.',
    until: person('someone runs `legion resume`', 'legion resume'),
  },
  revert_open: {
    says: 'No work starts on the issue while its revert is open.',
    until: person('someone merges or closes the revert', 'legion issue show ISSUE'),
  },
  revert_unknown: {
    says: 'No work starts on the issue: the forge cannot say now whether its revert is still open.',
    until: NEXT_POLL,
  },
  split_waits: {
    says: 'The issue was split; its sub-issues are not all done.',
    until: worker('the last sub-issue is done'),
  },
  split_done: { says: 'All sub-issues are done.', until: NEXT_LOOK },
  approved: { says: 'A person approved the architect’s output.', until: NEXT_LOOK },
  waits_for_approval: {
    says: 'An approval is due.',
    until: person('someone approves (`legion approve`, or the label human-approved)', 'legion approve ISSUE'),
  },
  waits_for_quota: {
    says: 'The provider has refused the worker for now.',
    until: time('the provider’s reset time'),
  },
  agent_asked: {
    says: 'Legion is checking whether the agent for this phase can work.',
    until: worker('the agent has answered, after 30 seconds at most'),
  },
  agent_limited: {
    says: 'The provider of every agent for this phase has refused work for lack of quota.',
    until: time('the provider’s reset time'),
  },
  agent_not_ready: {
    says: 'No agent for this phase can work.',
    until: person('someone fixes what `legion doctor` reports about the agent', 'legion doctor'),
  },
  agent_not_chosen: {
    says: 'No agent is chosen for this phase.',
    until: person('someone runs `legion init`, or sets `agents.default.agent` in legion.yaml', 'legion init'),
  },
  consent_required: {
    says: 'The operator has not agreed yet to what real workers may do and spend.',
    until: person('someone runs `legion up` and agrees', 'legion up'),
  },
  preflight_failed: {
    says: 'A problem would stop every issue at the end of its pipeline, so no worker starts.',
    until: person(
      'someone solves the problem that the evidence names; work then starts by itself',
      'legion doctor',
    ),
  },
  preflight_running: {
    says: 'Legion is checking whether the repository is ready for work.',
    until: worker('the check, or the baseline run on the base branch, has its result'),
  },
  board_stale: {
    says: 'The board could not be read for two polling intervals, so no worker starts.',
    until: worker('the board can be read again; `legion status` shows the problem'),
  },
  worker_lost: {
    says: 'The issue has the label worker-active, but none of its workers is running.',
    until: NEXT_LOOK,
  },
  worker_live: { says: 'A worker is working on it.', until: REPORTS },
  remains_alive: {
    says: 'A process of the failed worker is still running.',
    until: worker('that process has ended; Legion stops it'),
  },
  respawn_wait: { says: 'The worker failed a moment ago.', until: time('the back-off ends') },
  crash_limit: { says: 'The worker has failed as often as allowed.', until: NEXT_LOOK },
  budget_spent: { says: 'The budget is used up.', until: NEXT_LOOK },
  day_budget_spent: {
    says: 'The budget of the day is used up.',
    until: time('local midnight, or a larger `budgets.day` in legion.yaml'),
  },
  budget_zero: {
    says: 'A budget of 0 starts nothing.',
    until: person('someone raises it in legion.yaml, or sets it to `none`', 'edit budgets in legion.yaml'),
  },
  no_progress: { says: 'The worker takes turns without making progress.', until: NEXT_LOOK },
  answered_us: { says: 'A person has answered what Legion asked.', until: NEXT_LOOK },
  reference_unreadable: {
    says: 'The issue may be blocked by something that Legion cannot read.',
    until: person('someone does what the problem shown on the issue says', 'legion issue show ISSUE'),
  },
  blocked: { says: 'Another issue has to be done first.', until: worker('the last blocker is done') },

  routed: { says: 'Triage has chosen its status.', until: NEXT_LOOK },
  unclarified: {
    says: 'The issue is not clear enough to work on.',
    until: person(
      'someone adds what the comment asks for, to the text or in a comment, or sets the label user-feedback-given',
      'legion issue comment ISSUE "…"',
    ),
  },
  parked: {
    says: 'A person put it into the Icebox.',
    until: person('someone moves it to another status', 'legion issue move ISSUE Backlog'),
  },
  no_capacity: { says: 'All places are taken.', until: worker('a worker ends') },
  stagger: {
    says: 'Another worker was started a moment ago.',
    until: time('the gap between two starts has passed'),
  },
  breaker_open: {
    says: 'No worker is started at present: several died at once.',
    until: person('someone runs `legion resume`, or checks of the host pass', 'legion resume'),
  },
  not_its_turn: { says: 'An older issue comes first.', until: worker('the older issue has left the Icebox') },
  clarified: { says: 'A person has clarified it and there is room.', until: NEXT_LOOK },

  /** Never decided by the engine, only shown: the loop does not even look at such an issue. */
  not_trusted: {
    says: 'Its author may not start workers here.',
    until: person('someone who may write to the repository takes it over', 'legion issue show ISSUE'),
  },
  /** Never decided by the engine: written down when an operator passes the order of phases. */
  forced: { says: 'A person started the worker out of turn.', until: REPORTS },
  due: { says: 'This phase has not been worked on yet.', until: REPORTS },
  finished: { says: 'The phase is finished.', until: NEXT_LOOK },
  approval_due: { says: 'The phase is finished and a person has to approve.', until: NEXT_LOOK },
  plan_review_due: { says: 'The architect has to review the plan.', until: REPORTS },
  plan_changes: { says: 'The architect asked for changes to the plan.', until: REPORTS },

  no_pr: { says: 'The worker is done, but there is no pull request.', until: NEXT_POLL },
  nothing_to_judge: { says: 'There is no pull request yet to test, review or merge.', until: NEXT_LOOK },
  no_review: { says: 'The reviewer is done, but there is no review of this commit.', until: NEXT_POLL },
  still_no_pr: { says: 'There is still no pull request.', until: NEXT_LOOK },
  still_no_review: { says: 'There is still no review of this commit.', until: NEXT_LOOK },
  pr_unknown: { says: 'The pull request could not be read.', until: NEXT_POLL },
  ci_unknown: { says: 'The CI result could not be read.', until: NEXT_POLL },
  ci_pending: { says: 'CI is still running.', until: NEXT_POLL },
  ci_failing: { says: 'CI is red.', until: REPORTS },
  review_unknown: { says: 'The reviews could not be read.', until: NEXT_POLL },
  mergeable_unknown: { says: 'The forge has not said whether it can be merged.', until: NEXT_POLL },
  evidence_unknown: {
    says: 'Legion could not read which files have changed since the tests or the review.',
    until: NEXT_POLL,
  },
  auto_merge_unknown: { says: 'The auto-merge gate could not be evaluated.', until: NEXT_POLL },
  conflicting: { says: 'The pull request conflicts with its base.', until: REPORTS },
  changes_requested: { says: 'The reviewer asked for changes.', until: REPORTS },
  sent_back: { says: 'The tester or the merger found the work unfit and sent it back.', until: REPORTS },
  tests_failed: { says: 'The tester did not pass it.', until: REPORTS },
  tests_void: { says: 'Commits came after the tests.', until: REPORTS },
  tests_could_not_run: { says: 'The tests could not be run.', until: NEXT_LOOK },
  review_void: { says: 'Commits came after the review.', until: NEXT_LOOK },
  retro_due: { says: 'The retro has not been done.', until: REPORTS },
  quality_gate_due: {
    says: 'The quality gate has not been run at this commit.',
    until: worker('the host has run the quality gate'),
  },
  quality_gate_red: { says: 'The quality gate is red.', until: REPORTS },
  quality_gate_could_not_run: { says: 'The quality gate could not be run.', until: NEXT_LOOK },
  nothing_checked: {
    says: 'There is neither CI nor a quality gate: nothing has checked this commit. Put commands.quality_gate, or on the local forge commands.ci, into .legion/config.yml on the base branch and approve it (`legion approve --commands`), or give the repository CI of its own; then answer.',
    until: NEXT_LOOK,
  },
  scripted_work: {
    says: 'The scripted agent worked on this, and its work is never merged outside a demo repository.',
    until: person(
      'someone closes the issue and writes it again for a real agent (`agents.default.agent`)',
      'legion issue add "…"',
    ),
  },
  keyword_missing: { says: 'The pull request does not name the issue it closes.', until: NEXT_LOOK },
  merge_ready: { says: 'Every condition for the merge holds.', until: REPORTS },
  checkout_in_use: {
    says: 'Uncommitted changes in your own checkout of the base branch overlap with this merge.',
    until: person(
      'someone commits or stashes these files; the merge then continues by itself',
      'git stash push --all -- FILE…',
    ),
  },
  merged: { says: 'The pull request is merged.', until: NEXT_LOOK },

  waited_too_long: {
    says: 'The check has not finished within limits.check_wait.',
    until: person('someone looks into it; Legion keeps checking meanwhile', 'legion explain ISSUE --details'),
  },
  round_limit: { says: 'The work has been sent back as often as limits.rounds allows.', until: NEXT_LOOK },
} as const satisfies Readonly<Record<string, { readonly says: string; readonly until: Until }>>;

export type ReasonCode = keyof typeof REASONS;

/** Reasons with which the engine itself stops an issue until a person acts: a pause, or a question to a person. */
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
