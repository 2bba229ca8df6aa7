/**
 * A worker whose state is uncertain: the evidence that it is running, the evidence that it is not,
 * and a button to stop it.
 */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { InboxItem } from '../../../../../src/protocol/operator.ts';
import { createCall } from '../../../api/request.ts';
import { useActionMutation } from '../../../api/use-action-mutation.ts';
import { Button } from '../../../components/button.tsx';
import { useConfirm } from '../../../components/confirm.tsx';
import { EvidenceFold } from '../../../components/evidence.tsx';
import { FaultText, SkeletonLines } from '../../../components/states.tsx';
import { toPlainText } from '../../../text/plain.ts';
import { toTranscriptPath } from '../../board/issue-path.ts';
import { createWorkerStatusQuery } from '../../fleet/queries.ts';
import { INBOX_STALE_QUERIES } from '../queries.ts';
import { findAskingWorker } from '../question.ts';
import { InboxActionRow } from './action-row.tsx';

export function WorkerPart({ item }: { readonly item: InboxItem }) {
  const worker = findAskingWorker(item);
  const mutation = useActionMutation(INBOX_STALE_QUERIES);
  const confirm = useConfirm();
  if (worker === undefined || item.issue === null) return null;
  const { id } = worker;
  const stop = async () => {
    const question = {
      title: `Stop ${id}?`,
      text: 'It is asked to exit, and is killed if it does not. Its commits are kept. No worker starts on the issue until someone resumes it.',
      action: 'Stop worker',
      isDangerous: true,
    };
    if (await confirm(question))
      mutation.mutate({ call: createCall('DELETE /workers/:id', { params: { id } }) });
  };
  return (
    <>
      <Verdict id={id} />
      <InboxActionRow error={mutation.error}>
        <Link className="button" to={toTranscriptPath(item.issue, worker.mode)}>
          Read its transcript
        </Link>
        <Button isBusy={mutation.isPending} onClick={() => void stop()}>
          Stop worker…
        </Button>
      </InboxActionRow>
    </>
  );
}

function Verdict({ id }: { readonly id: string }) {
  const { data, error } = useQuery(createWorkerStatusQuery(id));
  if (data === undefined) return error === null ? <SkeletonLines count={3} /> : <FaultText error={error} />;
  const { why, wouldChange, evidence } = data.health;
  return (
    <div className="inbox-why">
      <p>{toPlainText(why)}</p>
      <p className="faint">What would change that: {toPlainText(wouldChange)}</p>
      <EvidenceFold of={evidence} />
    </div>
  );
}
