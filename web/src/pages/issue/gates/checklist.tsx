/** Conditions of a gate in words, each with a sign; the evidence of all of them is behind Details. */
import type { GatesView } from '../../../../../src/protocol/operator.ts';
import type { Tone } from '../../../components/badge.tsx';
import { Details } from '../../../components/details.tsx';
import { plain } from '../../../text/plain.ts';
import { conditionInWords } from './condition-words.ts';
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
