/** A worker of which nobody can say whether it is at work: what speaks for it and against it, and the way to stop it. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { InboxItem } from '../../../../../src/protocol/operator.ts';
import { call } from '../../../api/request.ts';
import { Button } from '../../../components/button.tsx';
import { useConfirm } from '../../../components/confirm.tsx';
import { EvidenceFold } from '../../../components/evidence.tsx';
import { FaultText, SkeletonLines } from '../../../components/states.tsx';
import { plain } from '../../../text/plain.ts';
import { transcriptPath } from '../../board/issue-path.ts';
import { workerStatusQuery } from '../../fleet/queries.ts';
import { workerIn } from '../question.ts';
import { useSettle } from '../settle.ts';
import { SettleRow } from './action-row.tsx';

export function WorkerPart({ item }: { readonly item: InboxItem }) {
  const worker = workerIn(item);
  const settle = useSettle();
  const confirm = useConfirm();
  if (worker === undefined || item.issue === null) return null;
  const { id } = worker;
  const stop = async () => {
    const question = {
      title: `Stop ${id}?`,
      text: 'It is asked to end, and ended if it does not. What it has committed stays. Nothing starts for the issue until someone resumes it.',
      action: 'Stop the worker',
      isDangerous: true,
    };
    if (await confirm(question)) settle.run({ call: call('DELETE /workers/:id', { params: { id } }) });
  };
  return (
    <>
      <Verdict id={id} />
      <SettleRow error={settle.error}>
        <Link className="button" to={transcriptPath(item.issue, worker.mode)}>
          Read what it writes
        </Link>
        <Button isBusy={settle.isPending} onClick={() => void stop()}>
          Stop it …
        </Button>
      </SettleRow>
    </>
  );
}

function Verdict({ id }: { readonly id: string }) {
  const { data, error } = useQuery(workerStatusQuery(id));
  if (data === undefined) return error === null ? <SkeletonLines count={3} /> : <FaultText error={error} />;
  const { why, wouldChange, evidence } = data.health;
  return (
    <div className="inbox-why">
      <p>{plain(why)}</p>
      <p className="faint">What would change that: {plain(wouldChange)}</p>
      <EvidenceFold of={evidence} />
    </div>
  );
}
