/** Nothing needs anybody: says so, and what the legion is doing meanwhile. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { isLive } from '../../../../src/domain/lifecycle.ts';
import type { Card } from '../../../../src/protocol/dashboard.ts';
import type { HealthView } from '../../../../src/protocol/operator.ts';
import { boardQuery, healthQuery } from '../../api/queries.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Time } from '../../components/time.tsx';
import { plain } from '../../text/plain.ts';
import { issuePath } from '../board/issue-path.ts';

/** Enough to see that it lives; the board has all of them. */
const SHOWN_MOST = 6;

export function AllQuiet({ hasTroubles }: { readonly hasTroubles: boolean }) {
  const { data: board } = useQuery(boardQuery);
  const { data: health } = useQuery(healthQuery);
  const busy = (board?.cards ?? []).filter(({ worker }) => worker !== null && isLive(worker.state));
  return (
    <div className="inbox-quiet">
      <EmptyState icon="check" title={hasTroubles ? 'No issue needs you' : 'Nothing needs you'}>
        {health !== undefined && board !== undefined && doing(busy.length, health)}
      </EmptyState>
      {busy.length > 0 && (
        <ul className="inbox-busy" aria-label="At work now">
          {busy.slice(0, SHOWN_MOST).map((card) => (
            <Busy key={card.id} card={card} />
          ))}
          {busy.length > SHOWN_MOST && (
            <li className="faint">
              and {busy.length - SHOWN_MOST} more <Link to="/?only=working">on the board</Link>
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

function doing(busy: number, { autoAdvance, starts }: HealthView): string {
  if (busy > 0) return `Meanwhile ${busy === 1 ? 'one worker is' : `${busy} workers are`} at work.`;
  if (!starts.allowed) return 'No worker is started at present.';
  if (!autoAdvance) return 'No worker is at work. This legion takes a step only when it is told to.';
  return 'No worker is at work either. An issue that comes to the board is taken up by itself.';
}

function Busy({ card: { id, title, worker } }: { readonly card: Card }) {
  if (worker === null) return null;
  return (
    <li>
      <span className="dot dot-executing tone-work" aria-hidden="true" />
      <span className="inbox-busy-what">
        <Link to={issuePath(id)} dir="auto">
          {plain(title)}
        </Link>
        <span className="faint">
          {id} · {worker.mode}
          {worker.last !== null && ` · ${plain(worker.last.what)}`}
        </span>
      </span>
      <Time at={worker.since} />
    </li>
  );
}
