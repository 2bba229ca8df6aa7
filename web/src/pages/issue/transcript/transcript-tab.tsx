/**
 * Transcripts of an issue's workers. The address specifies the worker, the attempt and the stream.
 */
import { hasEnded } from '../../../../../src/core/model/lifecycle.ts';
import type { WorkerView } from '../../../../../src/protocol/workers.ts';
import { EmptyState, SkeletonLines } from '../../../components/states.tsx';
import { setFields, useQueryFields } from '../../../router/location.ts';
import { Choice } from '../choice.tsx';
import { pickLikeliestWorker } from '../likeliest-worker.ts';
import { TranscriptView } from './transcript-view.tsx';

export function TranscriptTab({ workers }: { readonly workers: readonly WorkerView[] | undefined }) {
  const fields = useQueryFields();
  if (workers === undefined) return <SkeletonLines count={8} />;
  const worker = workers.find(({ mode }) => mode === fields.get('worker')) ?? pickLikeliestWorker(workers);
  if (worker === undefined) {
    return (
      <EmptyState icon="clock" title="No worker yet">
        Output appears here live once a worker starts on this issue.
      </EmptyState>
    );
  }
  const requested = Number(fields.get('attempt'));
  const attempt = requested >= 1 && requested <= worker.attempt ? requested : worker.attempt;
  const stream = fields.get('stream') === 'err' ? 'err' : 'out';
  const isOver = attempt < worker.attempt || hasEnded(worker.status);
  return (
    <div className="transcript-tab">
      <div className="choices">
        <Choice
          name="Worker"
          value={worker.mode}
          options={workers.map(({ mode }) => ({ value: mode, label: mode }))}
          onChoose={(mode) => setFields({ worker: mode, attempt: null })}
        />
        <Choice
          name="Attempt"
          value={String(attempt)}
          options={listAttempts(worker)}
          // Choosing the latest attempt removes the attempt from the address, so that the page
          // follows automatically when another attempt starts.
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
  { value: 'out', label: 'output' },
  { value: 'err', label: 'errors' },
];

/** Lists the attempts, latest first. */
function listAttempts({ attempt: latest }: WorkerView) {
  return Array.from({ length: latest }, (_, index) => latest - index).map((number) => ({
    value: String(number),
    label: number === latest ? `${number} (latest)` : String(number),
  }));
}
