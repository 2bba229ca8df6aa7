/** Transcripts of an issue's workers: by worker, attempt and stream, which the address names. */
import { hasEnded } from '../../../../../src/domain/lifecycle.ts';
import type { WorkerView } from '../../../../../src/protocol/operator.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import { SkeletonLines } from '../../../components/skeleton.tsx';
import { setFields, useQueryFields } from '../../../router/location.ts';
import { likeliest } from '../likeliest.ts';
import { TranscriptView } from './transcript-view.tsx';

export function TranscriptTab({ workers }: { readonly workers: readonly WorkerView[] | undefined }) {
  const fields = useQueryFields();
  if (workers === undefined) return <SkeletonLines count={8} />;
  const worker = workers.find(({ mode }) => mode === fields.get('worker')) ?? likeliest(workers);
  if (worker === undefined) {
    return (
      <EmptyState icon="clock" title="No worker yet">
        As soon as somebody works on this issue, what they say and do shows here as it happens.
      </EmptyState>
    );
  }
  const asked = Number(fields.get('attempt'));
  const attempt = asked >= 1 && asked <= worker.attempt ? asked : worker.attempt;
  const stream = fields.get('stream') === 'err' ? 'err' : 'out';
  const isOver = attempt < worker.attempt || hasEnded(worker.status);
  return (
    <div className="transcript-tab">
      <div className="choices">
        <label>
          Worker
          <select
            className="input"
            value={worker.mode}
            onChange={({ target }) => setFields({ worker: target.value, attempt: null })}
          >
            {workers.map(({ mode }) => (
              <option key={mode}>{mode}</option>
            ))}
          </select>
        </label>
        <label>
          Attempt
          <select
            className="input"
            value={attempt}
            // The latest is not named, so that the page goes on to the next attempt by itself.
            onChange={({ target }) =>
              setFields({
                attempt: Number(target.value) === worker.attempt ? null : target.value,
                worker: worker.mode,
              })
            }
          >
            {Array.from({ length: worker.attempt }, (_, index) => worker.attempt - index).map((number) => (
              <option key={number} value={number}>
                {number}
                {number === worker.attempt ? ' (latest)' : ''}
              </option>
            ))}
          </select>
        </label>
        <label>
          Stream
          <select
            className="input"
            value={stream}
            onChange={({ target }) => setFields({ stream: target.value === 'out' ? null : target.value })}
          >
            <option value="out">what it says and does</option>
            <option value="err">error stream</option>
          </select>
        </label>
      </div>
      <TranscriptView
        key={`${worker.id} ${attempt} ${stream}`}
        source={{ worker: worker.id, attempt, stream }}
        isOver={isOver}
      />
    </div>
  );
}
