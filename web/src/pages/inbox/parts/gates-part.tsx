/** The conditions of a merge as a list: what holds, what does not, and by what evidence. */
import { useQuery } from '@tanstack/react-query';
import type { GatesView } from '../../../../../src/protocol/operator.ts';
import { FaultText } from '../../../components/error-state.tsx';
import { SkeletonLines } from '../../../components/skeleton.tsx';
import { plain } from '../../../text/plain.ts';
import { conditionInWords } from '../../issue/gates/condition-words.ts';
import { useKeptCurrent } from '../../issue/keep-current.ts';
import { gatesQuery } from '../../issue/queries.ts';

type Condition = GatesView['preMerge'][number];

/** Signs beside words: never the colour alone. */
const SIGNS = {
  pass: { sign: '✓', says: 'holds', tone: 'good' },
  fail: { sign: '✕', says: 'does not hold', tone: 'bad' },
  unknown: { sign: '?', says: 'not known', tone: 'warn' },
} as const;

/** About as many as there are, so that nothing jumps when they come. */
const USUAL = 7;

export function GatesPart({ issue }: { readonly issue: string }) {
  useKeptCurrent(issue);
  const { data: gates, error } = useQuery(gatesQuery(issue));
  if (gates === undefined)
    return error === null ? <SkeletonLines count={USUAL} /> : <FaultText error={error} />;
  const holding = gates.preMerge.filter(({ verdict }) => verdict === 'pass').length;
  return (
    <>
      <p className="inbox-gates-says">
        {holding === gates.preMerge.length
          ? 'Every condition holds'
          : `${holding} of ${gates.preMerge.length} conditions hold`}
        {gates.headSha !== null && (
          <span className="faint">
            {' '}
            at <code>{gates.headSha.slice(0, 8)}</code>
          </span>
        )}
      </p>
      <ul className="inbox-gates">
        {gates.preMerge.map((condition) => (
          <ConditionRow key={condition.name} condition={condition} />
        ))}
      </ul>
    </>
  );
}

function ConditionRow({ condition: { name, verdict, evidence } }: { readonly condition: Condition }) {
  const { sign, says, tone } = SIGNS[verdict];
  return (
    <li>
      <span className={`inbox-sign tone-${tone}`} role="img" aria-label={says} title={says}>
        {sign}
      </span>
      <span>{conditionInWords(name)}</span>
      <code className="faint">{plain(evidence)}</code>
    </li>
  );
}
