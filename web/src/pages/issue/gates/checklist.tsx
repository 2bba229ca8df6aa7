/**
 * Conditions of a gate as sentences, each with a symbol. The Details section shows their evidence.
 */
import type { GatesView } from '../../../../../src/protocol/operator.ts';
import type { Tone } from '../../../components/badge.tsx';
import { Details } from '../../../components/details.tsx';
import { toPlainText } from '../../../text/plain.ts';
import '../../../styles/checklist.css';

type GateCondition = GatesView['preMerge'][number];

/** Each verdict has a symbol and a word, so that colour is never the only signal. */
export const MARKS: Readonly<Record<GateCondition['verdict'], { sign: string; label: string; tone: Tone }>> =
  {
    pass: { sign: '✓', label: 'met', tone: 'good' },
    fail: { sign: '✗', label: 'not met', tone: 'bad' },
    unknown: { sign: '?', label: 'not known', tone: 'warn' },
  };

/**
 * Shown instead of a failure while there is no pull request, because no condition can have failed
 * yet.
 */
export const NOT_YET = { sign: '·', label: 'not yet', tone: 'neutral' } as const;

interface ChecklistProps {
  readonly of: readonly GateCondition[];
  readonly hasPullRequest?: boolean;
}

export function Checklist({ of, hasPullRequest = true }: ChecklistProps) {
  return (
    <>
      <ul className="checklist">
        {of.map(({ name, verdict }) => {
          const { sign, label, tone } = hasPullRequest ? MARKS[verdict] : NOT_YET;
          return (
            <li key={name}>
              <span className={`check-sign tone-${tone}`} aria-hidden="true">
                {sign}
              </span>
              <span className="check-name">{describeCondition(name)}</span>
              <span className={`check-word tone-${tone}`}>{label}</span>
            </li>
          );
        })}
      </ul>
      <Details>
        <dl className="facts">
          {of.map(({ name, evidence }) => (
            <div key={name}>
              <dt>{describeCondition(name)}</dt>
              <dd>
                <code className="check-evidence">{toPlainText(evidence)}</code>
              </dd>
            </div>
          ))}
        </dl>
      </Details>
    </>
  );
}

const CONDITION_LABELS: Readonly<Record<string, string>> = {
  names_issue: 'The pull request mentions the issue',
  ci_green: 'CI passes at this commit',
  review_approved: 'A review approves this commit',
  tests_passed: 'The tests passed at this commit',
  retro_done: 'The retro is written',
  no_open_question: 'No question is open',
  mergeable: 'The pull request merges without conflicts',
  real_work: 'A real agent did the work',
  in_retro: 'The issue is in Retro',
  not_paused: 'The issue is not paused',
  not_blocked: 'No open issue blocks this one',
  approved: 'The merge is approved',
  merged: 'It is merged',
  pull_request: 'There is a pull request',
  not_draft: 'The pull request is not a draft',
  tested_beyond_static: 'CI ran more than static checks',
  small: 'The change is small',
  no_dependency_added: 'No dependencies were added',
  no_infrastructure: 'No infrastructure files changed',
  safe_kind: 'The labels mark a safe kind of change',
};

/** Shows an unknown condition by its raw name. */
function describeCondition(name: string): string {
  return Object.hasOwn(CONDITION_LABELS, name) ? (CONDITION_LABELS[name] ?? name) : name.replaceAll('_', ' ');
}
