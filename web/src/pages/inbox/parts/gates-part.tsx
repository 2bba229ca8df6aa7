/** The conditions of a merge as a list: what holds and what does not. */
import { useQuery } from '@tanstack/react-query';
import { FaultText } from '../../../components/error-state.tsx';
import { SkeletonLines } from '../../../components/skeleton.tsx';
import { Checklist } from '../../issue/gates/checklist.tsx';
import { useKeptCurrent } from '../../issue/keep-current.ts';
import { gatesQuery } from '../../issue/queries.ts';

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
      <Checklist of={gates.preMerge} />
    </>
  );
}
