/**
 * The conditions for merging an issue, each with its verdict. The Details section shows the
 * evidence.
 */
import { useQuery } from '@tanstack/react-query';
import type { GatesView } from '../../../../../src/protocol/operator.ts';
import { ErrorState, SkeletonLines } from '../../../components/states.tsx';
import { createGatesQuery } from '../queries.ts';
import { Checklist, MARKS, NOT_YET } from './checklist.tsx';

export function GatesTab({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(createGatesQuery(id));
  if (data !== undefined) return <Gates of={data} />;
  if (error !== null)
    return <ErrorState title="The gates could not be read" error={error} onRetry={() => void refetch()} />;
  return <SkeletonLines count={9} />;
}

function Gates({ of: { headSha, preMerge, autoMerge, verdict, merged } }: { readonly of: GatesView }) {
  const mark = headSha === null ? NOT_YET : MARKS[verdict];
  const passed = preMerge.filter((condition) => condition.verdict === 'pass').length;
  return (
    <div className="gates">
      <section className="panel" aria-label="Merge conditions">
        <h2 className="panel-head">
          Merge
          <span className={`gate-verdict tone-${mark.tone}`}>
            <span aria-hidden="true">{mark.sign}</span>{' '}
            {merged
              ? `merged as ${merged.mergedSha.slice(0, 10)}`
              : headSha === null
                ? 'waiting for a pull request'
                : SAYS[verdict]}
          </span>
          <span className="faint number panel-link">
            {passed} of {preMerge.length}
          </span>
        </h2>
        <p className="faint">
          {headSha === null ? (
            'There is no pull request yet. Once the implementer opens one, each condition is checked at its commit.'
          ) : (
            <>
              Checked at commit <code title={headSha}>{headSha.slice(0, 10)}</code>.{' '}
              {merged
                ? 'These are the results at the time of the merge.'
                : 'Results apply to this commit only.'}
            </>
          )}
        </p>
        <Checklist of={preMerge} hasPullRequest={headSha !== null} />
      </section>
      {autoMerge.conditions.length > 0 && (
        <section className="panel" aria-label="Auto-merge conditions">
          <h2 className="panel-head">
            Auto-merge
            <span className={`gate-verdict tone-${autoMerge.allowed ? 'good' : 'neutral'}`}>
              {autoMerge.allowed
                ? 'allowed if all of these are met'
                : 'not allowed here: a person must merge'}
            </span>
          </h2>
          <Checklist of={autoMerge.conditions} hasPullRequest={headSha !== null} />
        </section>
      )}
    </div>
  );
}

const SAYS: Readonly<Record<GatesView['verdict'], string>> = {
  pass: 'ready to merge',
  fail: 'not ready to merge',
  unknown: 'not known yet',
};
