/** Shows the next due step and takes it after a confirmation. */
import { useQuery } from '@tanstack/react-query';
import { describeAction } from '../../../../../src/core/model/action.ts';
import type { AdvanceAnswer } from '../../../../../src/protocol/operator.ts';
import { createCall, sendRequest } from '../../../api/request.ts';
import { useActionMutation } from '../../../api/use-action-mutation.ts';
import { SkeletonLines } from '../../../components/states.tsx';
import { toPlainText } from '../../../text/plain.ts';
import { toStaleIssueQueries } from '../queries.ts';
import { EXTERNAL } from '../refresh-on-events.ts';
import { ActionDialog } from './action-dialog.tsx';

export function AdvanceDialog({ issue, onClose }: { readonly issue: string; onClose(): void }) {
  const mutation = useActionMutation(toStaleIssueQueries(issue));
  const preview = useQuery({
    // Never cached, because the due step may have changed since the dialog was last open.
    queryKey: [EXTERNAL, issue, 'advance'],
    gcTime: 0,
    staleTime: 0,
    queryFn: ({ signal }) =>
      sendRequest(
        createCall('POST /state/advance', { body: { issue, dryRun: true } }),
        ['decisions', 'commands', 'status'],
        { signal },
      ),
  });
  const { data } = preview;
  const hasStep = data !== undefined && data.commands.length > 0;
  const advance = () => {
    mutation.mutate({ call: createCall('POST /state/advance', { body: { issue } }) }, { onSuccess: onClose });
  };
  return (
    <ActionDialog
      title={`Advance ${issue}`}
      action="Take this step"
      isReady={hasStep}
      isBusy={mutation.isPending}
      error={mutation.error ?? preview.error}
      onSubmit={advance}
      onClose={onClose}
    >
      {data !== undefined ? <Step of={data} /> : preview.isPending && <SkeletonLines count={3} />}
    </ActionDialog>
  );
}

function Step({ of: { decisions, commands, status } }: { readonly of: AdvanceAnswer }) {
  return (
    <>
      {decisions.map(({ action, mode, reason, says }) => (
        <p key={`${action} ${mode} ${reason}`}>
          {says} <span className="faint">Due: {describeAction(action)}.</span>
        </p>
      ))}
      {commands.length === 0 ? (
        <p>Nothing to do now. The issue stays in {status}.</p>
      ) : (
        <>
          <h3>Planned steps</h3>
          <ul className="bullets">
            {[...new Set(commands)].map((command) => (
              <li key={command}>{toPlainText(command)}</li>
            ))}
          </ul>
          <p className="faint">Status afterwards: {status}.</p>
        </>
      )}
    </>
  );
}
