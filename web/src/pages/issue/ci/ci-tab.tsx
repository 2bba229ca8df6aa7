/** What CI says about an issue: each check at the head of its pull request, with its link and the end of its log. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { CheckView, CiView } from '../../../../../src/protocol/ci.ts';
import { call, request } from '../../../api/request.ts';
import type { Tone } from '../../../components/badge.tsx';
import { LogEnd } from '../../../components/log-end.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../../components/states.tsx';
import { plain } from '../../../text/plain.ts';
import { FAR } from '../queries.ts';

/** Lines of each log: more than a screen, for whoever scrolls up. */
const LINES = 100;
/** While a check runs nothing else may happen to the issue that would have the page ask again. */
const PENDING_EVERY_MS = 10_000;

function ciQuery(id: string) {
  return queryOptions({
    queryKey: [FAR, id, 'ci'],
    queryFn: ({ signal }) =>
      request(
        call('GET /issues/:id/ci', { params: { id }, query: { lines: `${LINES}` } }),
        ['says', 'status', 'checks', 'problems'],
        { signal },
      ),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? PENDING_EVERY_MS : false),
  });
}

export function CiTab({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(ciQuery(id));
  if (data === undefined)
    return error === null ? (
      <SkeletonLines count={8} />
    ) : (
      <ErrorState title="CI could not be read" error={error} onRetry={() => void refetch()} />
    );
  return (
    <div className="ci-tab">
      {data.problems.map(({ code, message, next }) => (
        <section key={message} className="panel ci-check" aria-label="Problem of the repository">
          <h2 className="panel-head">
            Problem of the repository <code className="faint">{code}</code>
          </h2>
          <LogEnd name="What the repository’s own commands printed" text={message} />
          <p className="faint">{next}</p>
        </section>
      ))}
      <Checks of={data} />
    </div>
  );
}

function Checks({ of: { number, sha, says, next, checks } }: { readonly of: CiView }) {
  if (checks.length === 0)
    return (
      <EmptyState icon="clock" title={plain(says)}>
        {next !== undefined && plain(next)}
      </EmptyState>
    );
  return (
    <>
      <p>
        {plain(says)}{' '}
        {number !== null && sha !== null && (
          <span className="faint">
            Pull request #{number} at commit <code title={sha}>{sha.slice(0, 10)}</code>.
          </span>
        )}
      </p>
      {checks.map((check, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two checks may have one name.
        <Check key={`${check.name} ${index}`} of={check} />
      ))}
    </>
  );
}

function Check({ of: { name, status, url, summary, log, missing } }: { readonly of: CheckView }) {
  const { sign, word, tone } = MARKS[status];
  const shown = plain(name);
  return (
    <section className="panel ci-check" aria-label={`Check ${shown}`}>
      <h2 className="panel-head">
        <span className={`check-sign tone-${tone}`} aria-hidden="true">
          {sign}
        </span>
        <span className="check-name">{shown}</span>
        <span className={`check-word tone-${tone}`}>{word}</span>
        {url !== undefined && /^https?:\/\//.test(url) && (
          <a className="panel-link" href={url} target="_blank" rel="noopener noreferrer nofollow">
            Open the check
          </a>
        )}
      </h2>
      {summary !== undefined && <p className="text">{plain(summary)}</p>}
      {missing !== undefined && <p className="faint">{plain(missing)}</p>}
      {log !== undefined && (
        <details className="fold" open={status !== 'passing'}>
          <summary>End of the log</summary>
          <LogEnd name={`End of the log of ${shown}`} text={log} />
        </details>
      )}
    </section>
  );
}

const MARKS: Readonly<Record<CheckView['status'], { sign: string; word: string; tone: Tone }>> = {
  passing: { sign: '✓', word: 'passing', tone: 'good' },
  failing: { sign: '✗', word: 'failing', tone: 'bad' },
  pending: { sign: '…', word: 'running', tone: 'warn' },
  could_not_run: { sign: '?', word: 'could not run', tone: 'warn' },
};
