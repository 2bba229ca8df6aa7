/** Takes the step that is due: first it is shown, then it is done. */
import { useQuery } from '@tanstack/react-query';
import { actionInWords } from '../../../../../src/domain/action-in-words.ts';
import type { AdvanceAnswer } from '../../../../../src/protocol/operator.ts';
import { call, request } from '../../../api/request.ts';
import { SkeletonLines } from '../../../components/states.tsx';
import { plain } from '../../../text/plain.ts';
import { FAR } from '../queries.ts';
import { useAct } from './act.ts';
import { DeedDialog } from './action-dialog.tsx';

export function AdvanceDialog({ issue, onClose }: { readonly issue: string; onClose(): void }) {
  const act = useAct(issue);
  const preview = useQuery({
    // Looked at anew each time, and never kept: what is due is what is due now.
    queryKey: [FAR, issue, 'advance'],
    gcTime: 0,
    staleTime: 0,
    queryFn: ({ signal }) =>
      request(
        call('POST /state/advance', { body: { issue, dryRun: true } }),
        ['decisions', 'commands', 'status'],
        { signal },
      ),
  });
  const { data } = preview;
  const hasStep = data !== undefined && data.commands.length > 0;
  const advance = () => {
    act.mutate({ call: call('POST /state/advance', { body: { issue } }) }, { onSuccess: onClose });
  };
  return (
    <DeedDialog
      title={`Advance ${issue}`}
      action="Take this step"
      isReady={hasStep}
      isBusy={act.isPending}
      error={act.error ?? preview.error}
      onSubmit={advance}
      onClose={onClose}
    >
      {data !== undefined ? <Step of={data} /> : preview.isPending && <SkeletonLines count={3} />}
    </DeedDialog>
  );
}

function Step({ of: { decisions, commands, status } }: { readonly of: AdvanceAnswer }) {
  return (
    <>
      {decisions.map(({ action, mode, reason, says }) => (
        <p key={`${action} ${mode} ${reason}`}>
          {says} <span className="faint">Due: {actionInWords(action)}.</span>
        </p>
      ))}
      {commands.length === 0 ? (
        <p>There is nothing to do now. It stays in {status}.</p>
      ) : (
        <>
          <h3>This would be done</h3>
          <ul className="bullets">
            {[...new Set(commands)].map((command) => (
              <li key={command}>{plain(command)}</li>
            ))}
          </ul>
          <p className="faint">Afterwards it is in {status}.</p>
        </>
      )}
    </>
  );
}
