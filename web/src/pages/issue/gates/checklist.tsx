/** Conditions of a gate in words, each with a sign; the evidence of all of them is behind Details. */
import type { GatesView } from '../../../../../src/protocol/operator.ts';
import type { Tone } from '../../../components/badge.tsx';
import { Details } from '../../../components/details.tsx';
import { plain } from '../../../text/plain.ts';
import '../../../styles/checklist.css';

type Condition = GatesView['preMerge'][number];

/** Signs beside words: never the colour alone. */
export const MARKS: Readonly<Record<Condition['verdict'], { sign: string; says: string; tone: Tone }>> = {
  pass: { sign: '✓', says: 'holds', tone: 'good' },
  fail: { sign: '✗', says: 'does not hold', tone: 'bad' },
  unknown: { sign: '?', says: 'not known', tone: 'warn' },
};

/** Before there is a pull request nothing has failed. */
export const NOT_YET = { sign: '·', says: 'not yet', tone: 'neutral' } as const;

interface ChecklistProps {
  readonly of: readonly Condition[];
  readonly hasPullRequest?: boolean;
}

export function Checklist({ of, hasPullRequest = true }: ChecklistProps) {
  return (
    <>
      <ul className="checklist">
        {of.map(({ name, verdict }) => {
          const { sign, says, tone } = hasPullRequest ? MARKS[verdict] : NOT_YET;
          return (
            <li key={name}>
              <span className={`check-sign tone-${tone}`} aria-hidden="true">
                {sign}
              </span>
              <span className="check-name">{conditionInWords(name)}</span>
              <span className={`check-word tone-${tone}`}>{says}</span>
            </li>
          );
        })}
      </ul>
      <Details>
        <dl className="facts">
          {of.map(({ name, evidence }) => (
            <div key={name}>
              <dt>{conditionInWords(name)}</dt>
              <dd>
                <code className="check-evidence">{plain(evidence)}</code>
              </dd>
            </div>
          ))}
        </dl>
      </Details>
    </>
  );
}

const WORDS: Readonly<Record<string, string>> = {
  names_issue: 'The pull request names the issue',
  ci_green: 'CI passes at this commit',
  review_approved: 'A review approves this commit',
  tests_passed: 'The tests passed at this commit',
  retro_done: 'The retro is written',
  no_open_question: 'No question is open',
  mergeable: 'It merges without conflicts',
  real_work: 'A real agent did the work',
  in_retro: 'The issue is in Retro',
  not_paused: 'The issue is not held',
  not_blocked: 'No open issue blocks it',
  approved: 'The merge is approved',
  merged: 'It is merged',
  pull_request: 'There is a pull request',
  not_draft: 'It is no draft',
  tested_beyond_static: 'More than static checks were run',
  small: 'The change is small',
  no_dependency_added: 'No dependency was added',
  no_infrastructure: 'No infrastructure is touched',
  safe_kind: 'Its labels say a safe kind of change',
};

/** One this page does not know is shown by its own name. */
function conditionInWords(name: string): string {
  return Object.hasOwn(WORDS, name) ? (WORDS[name] ?? name) : name.replaceAll('_', ' ');
}
