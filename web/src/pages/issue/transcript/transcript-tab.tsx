/** Transcripts of an issue's workers: by worker, attempt and stream, which the address names. */
import { hasEnded } from '../../../../../src/domain/lifecycle.ts';
import type { WorkerView } from '../../../../../src/protocol/operator.ts';
import { EmptyState, SkeletonLines } from '../../../components/states.tsx';
import { setFields, useQueryFields } from '../../../router/location.ts';
import { Choice } from '../choice.tsx';
import { likeliest } from '../likeliest-worker.ts';
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
        <Choice
          name="Worker"
          value={worker.mode}
          options={workers.map(({ mode }) => ({ value: mode, says: mode }))}
          onChoose={(mode) => setFields({ worker: mode, attempt: null })}
        />
        <Choice
          name="Attempt"
          value={String(attempt)}
          options={attemptsOf(worker)}
          // The latest is not named, so that the page goes on to the next attempt by itself.
          onChoose={(number) =>
            setFields({ attempt: Number(number) === worker.attempt ? null : number, worker: worker.mode })
          }
        />
        <Choice
          name="Stream"
          value={stream}
          options={STREAMS}
          onChoose={(chosen) => setFields({ stream: chosen === 'out' ? null : chosen })}
        />
      </div>
      <TranscriptView
        key={`${worker.id} ${attempt} ${stream}`}
        source={{ worker: worker.id, attempt, stream }}
        isOver={isOver}
      />
    </div>
  );
}

const STREAMS = [
  { value: 'out', says: 'output' },
  { value: 'err', says: 'errors' },
];

/** The latest first. */
function attemptsOf({ attempt: latest }: WorkerView) {
  return Array.from({ length: latest }, (_, index) => latest - index).map((number) => ({
    value: String(number),
    says: number === latest ? `${number} (latest)` : String(number),
  }));
}
