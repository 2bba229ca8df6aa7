/** The same issue in every state in which people open its page. */
import type { IssueExplanation } from '../../../src/protocol/operator.ts';
import type { WorkerView } from '../../../src/protocol/workers.ts';
import { ID, MARKDOWN } from './issue-documents.ts';
import type { IssueFacts } from './issue-facts.ts';
import { createRunningIssue, createWorker } from './running-issue.ts';

const MINUTE = 60_000;

export type IssueStateName =
  | 'new'
  | 'unclear'
  | 'approval'
  | 'merge approval'
  | 'question'
  | 'working'
  | 'ci red'
  | 'crashed'
  | 'escalated'
  | 'halted'
  | 'done'
  | 'rolled back';

export const ISSUE_STATES: readonly IssueStateName[] = [
  'new',
  'unclear',
  'approval',
  'merge approval',
  'question',
  'working',
  'ci red',
  'crashed',
  'escalated',
  'halted',
  'done',
  'rolled back',
];

export function createIssueIn(name: IssueStateName): IssueFacts {
  const facts = createRunningIssue();
  facts.issue = { ...facts.issue, body: MARKDOWN };
  switch (name) {
    case 'new':
      return without(facts, {
        status: 'Backlog',
        labels: ['feature'],
        state: decided('stagger', 'Another worker was started a moment ago.', {
          by: 'time',
          what: 'the gap between two starts has passed',
        }),
      });
    case 'unclear':
      facts.issue = { ...facts.issue, title: 'Faster', body: '' };
      return without(facts, {
        status: 'Icebox',
        labels: [],
        state: decided(
          'unclarified',
          'The issue is not clear enough to work on.',
          {
            by: 'person',
            what: 'someone adds the details that the comment asks for, to the text or in a comment, or sets the label user-feedback-given',
          },
          ['column=Icebox', 'body=0 characters'],
        ),
      });
    case 'approval':
      return without(facts, {
        status: 'Backlog',
        labels: ['feature', 'needs-approval', 'worker-done'],
        workers: [createWorker('architect', { status: 'finished' })],
        state: waitsForApproval,
      });
    case 'merge approval':
      return withChanges(facts, {
        status: 'Retro',
        labels: ['feature', 'needs-approval'],
        workers: [createWorker('implement', { status: 'finished' })],
        state: waitsForApproval,
      });
    case 'question':
      facts.explanation = {
        ...facts.explanation,
        openQuestions: [
          {
            question: 3,
            mode: 'implement',
            text: 'Should a failed webhook be retried **forever**, or for a day?\n\n1. forever\n2. for a day',
            askedAt: Date.now() - 5 * MINUTE,
          },
        ],
      };
      return withChanges(facts, {
        labels: ['feature', 'user-input-needed'],
        workers: [createWorker('implement', { status: 'waiting-user' })],
        state: decided(
          'waits_for_answer',
          'A question is open.',
          { by: 'person', what: 'someone answers it (`legion answer`, or the label user-feedback-given)' },
          ['label=user-input-needed'],
        ),
      });
    case 'working':
      return facts;
    case 'ci red':
      if (facts.pullRequest !== null) facts.pullRequest = { ...facts.pullRequest, ci: 'failing' };
      return withChanges(facts, {
        state: decided(
          'ci_failing',
          'CI is red.',
          { by: 'event', what: 'the worker reports, asks a question or fails' },
          ['ci=failing', 'pullRequest=47 open', 'rounds.ci_failure=1/5'],
          'resume_implementer_for_ci_failure',
        ),
      });
    case 'crashed':
      facts.explanation = {
        ...facts.explanation,
        lastOutput: { mode: 'implement', attempt: 3, text: 'npm test\nError: out of memory' },
      };
      return withChanges(facts, {
        labels: ['feature', 'legion-paused'],
        workers: [createWorker('implement', { status: 'paused', attempt: 3, crashes: 3 })],
        state: decided(
          'paused',
          'The implement worker failed 3 times: its process ended with exit code 137.',
          { by: 'person', what: 'someone runs `legion resume DEMO-1`, or removes the label legion-paused' },
          ['label=legion-paused'],
        ),
      });
    case 'escalated':
      return withChanges(facts, {
        labels: ['feature', 'user-input-needed'],
        workers: [createWorker('implement', { status: 'finished' })],
        state: decided(
          'waits_for_answer',
          'A question is open.',
          { by: 'person', what: 'someone answers it (`legion answer`, or the label user-feedback-given)' },
          ['label=user-input-needed'],
        ),
      });
    case 'halted':
      return withChanges(facts, {
        workers: [createWorker('implement', { status: 'stopped' })],
        state: decided('halted', 'The legion is halted: every worker was stopped, and no worker starts.', {
          by: 'person',
          what: 'someone runs `legion resume`',
        }),
      });
    case 'done':
      if (facts.pullRequest !== null) facts.pullRequest = { ...facts.pullRequest, state: 'merged' };
      return withChanges(facts, {
        status: 'Done',
        labels: ['feature'],
        workers: [createWorker('merge', { status: 'finished' })],
        state: decided(
          'done',
          'The issue is Done.',
          { by: 'nothing_more', what: 'nothing more will happen' },
          ['evidence.retro=void'],
        ),
      });
    case 'rolled back':
      facts.revert = { number: 48, state: 'open' };
      return without(facts, {
        status: 'Todo',
        labels: ['feature', 'rollback', 'needs-approval'],
        workers: [createWorker('merge', { status: 'finished' })],
        state: waitsForApproval,
      });
  }
}

type State = IssueExplanation['state'];
type Decided = Pick<State, 'reason' | 'says' | 'until' | 'evidence' | 'suggestedAction'>;

interface Changes {
  readonly status?: IssueFacts['issue']['status'];
  readonly labels?: readonly string[];
  readonly workers?: readonly WorkerView[];
  readonly state: Decided;
}

function decided(
  reason: string,
  says: string,
  until: State['until'],
  evidence: readonly string[] = [],
  suggestedAction: State['suggestedAction'] = 'skip',
): Decided {
  return { reason, says, until, evidence: [...evidence], suggestedAction };
}

const waitsForApproval = decided(
  'waits_for_approval',
  'An approval is due.',
  { by: 'person', what: 'someone approves (`legion approve`, or the label human-approved)' },
  ['label=needs-approval'],
);

function withChanges(facts: IssueFacts, { status, labels, workers, state }: Changes): IssueFacts {
  const { issue, explanation } = facts;
  const now = status ?? issue.status;
  const column = now === 'terminal' ? 'Closed' : now;
  const its = [...(workers ?? facts.workers)];
  return {
    ...facts,
    issue: { ...issue, status: now, column, labels: [...(labels ?? issue.labels)] },
    workers: its,
    explanation: {
      ...explanation,
      state: { ...explanation.state, ...state, id: ID, status: now },
      workers: explanation.workers.filter(({ id }) =>
        its.some((worker) => worker.id === id && worker.status === 'executing'),
      ),
    },
  };
}

/** Returns the issue as it is before a pull request is opened. */
function without(facts: IssueFacts, changes: Changes): IssueFacts {
  const reset = { ...facts, pullRequest: null, workers: [], comments: [] };
  return withChanges(reset, { workers: [], ...changes });
}
