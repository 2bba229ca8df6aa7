/**
 * CI results of an issue: each check of its pull request's head commit, with its link and the end
 * of its log.
 */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { CheckView, CiView } from '../../../../../src/protocol/ci.ts';
import { createCall, sendRequest } from '../../../api/request.ts';
import type { Tone } from '../../../components/badge.tsx';
import { LogEnd } from '../../../components/log-end.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../../components/states.tsx';
import { toPlainText } from '../../../text/plain.ts';
import { EXTERNAL } from '../refresh-on-events.ts';

/** Number of lines shown of each log. More than one screen, so that the reader can scroll up. */
const LINES = 100;
/**
 * Poll interval while a check is running. Needed because there may be no event when the check
 * finishes.
 */
const PENDING_INTERVAL_MS = 10_000;

function createCiQuery(id: string) {
  return queryOptions({
    queryKey: [EXTERNAL, id, 'ci'],
    queryFn: ({ signal }) =>
      sendRequest(
        createCall('GET /issues/:id/ci', { params: { id }, query: { lines: `${LINES}` } }),
        ['says', 'status', 'checks', 'problems'],
        { signal },
      ),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? PENDING_INTERVAL_MS : false),
  });
}

export function CiTab({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(createCiQuery(id));
  if (data === undefined)
    return error === null ? (
      <SkeletonLines count={8} />
    ) : (
      <ErrorState title="CI could not be read" error={error} onRetry={() => void refetch()} />
    );
  return (
    <div className="ci-tab">
      {data.problems.map(({ code, message, next }) => (
        <section key={message} className="panel ci-check" aria-label="Repository problem">
          <h2 className="panel-head">
            Repository problem <code className="faint">{code}</code>
          </h2>
          <LogEnd name="Output of the repository’s own commands" text={message} />
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
      <EmptyState icon="clock" title={toPlainText(says)}>
        {next !== undefined && toPlainText(next)}
      </EmptyState>
    );
  return (
    <>
      <p>
        {toPlainText(says)}{' '}
        {number !== null && sha !== null && (
          <span className="faint">
            Pull request #{number} at commit <code title={sha}>{sha.slice(0, 10)}</code>.
          </span>
        )}
      </p>
      {checks.map((check, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two checks may have the same name.
        <Check key={`${check.name} ${index}`} of={check} />
      ))}
    </>
  );
}

function Check({ of: { name, status, url, summary, log, missing } }: { readonly of: CheckView }) {
  const { sign, word, tone } = MARKS[status];
  const plainName = toPlainText(name);
  return (
    <section className="panel ci-check" aria-label={`Check ${plainName}`}>
      <h2 className="panel-head">
        <span className={`check-sign tone-${tone}`} aria-hidden="true">
          {sign}
        </span>
        <span className="check-name">{plainName}</span>
        <span className={`check-word tone-${tone}`}>{word}</span>
        {url !== undefined && /^https?:\/\//.test(url) && (
          <a className="panel-link" href={url} target="_blank" rel="noopener noreferrer nofollow">
            Open the check
          </a>
        )}
      </h2>
      {summary !== undefined && <p className="text">{toPlainText(summary)}</p>}
      {missing !== undefined && <p className="faint">{toPlainText(missing)}</p>}
      {log !== undefined && (
        <details className="fold" open={status !== 'passing'}>
          <summary>End of the log</summary>
          <LogEnd name={`End of the log of ${plainName}`} text={log} />
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
