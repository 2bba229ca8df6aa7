/** Runs an available action: at once, after a confirmation, or through a dialog. */
import { useState } from 'react';
import { createCall } from '../../../api/request.ts';
import { type ActionRequest, useActionMutation } from '../../../api/use-action-mutation.ts';
import { type ConfirmQuestion, useConfirm } from '../../../components/confirm.tsx';
import { setFields } from '../../../router/location.ts';
import { toStaleIssueQueries } from '../queries.ts';
import type { AvailableAction, DialogName } from './available-actions.ts';
export type IssueActions = ReturnType<typeof useActions>;

export function useActions(id: string) {
  const mutation = useActionMutation(toStaleIssueQueries(id));
  const confirm = useConfirm();
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const [menu, setMenu] = useState<'actions' | 'columns' | null>(null);

  const ask = async (question: ConfirmQuestion, request: ActionRequest) => {
    if (await confirm(question)) mutation.mutate(request);
  };
  const perform = ({ action, worker, pullRequest }: AvailableAction): void => {
    const params = { id };
    const ofWorker = { params: { id: worker?.id ?? '' } };
    const mode = worker?.mode ?? '';
    switch (action) {
      case 'answer':
        startAnswer();
        break;
      case 'move':
        setMenu('columns');
        break;
      case 'resume_legion':
        mutation.mutate({
          call: createCall('POST /resume', { body: {} }),
          refused: 'The legion was not resumed',
        });
        break;
      case 'approve':
        void ask(describeApproval(id), {
          call: createCall('POST /issues/:id/approve', { params, body: { through: 'dashboard' } }),
          refused: 'The issue was not approved',
        });
        break;
      case 'resume':
        mutation.mutate({
          call: createCall('POST /issues/:id/resume', { params, body: {} }),
          refused: 'The issue was not resumed',
        });
        break;
      case 'reset':
        void ask(describeCrashReset(mode), {
          call: createCall('DELETE /workers/:id/crashes', ofWorker),
          refused: 'The crash count was not reset',
        });
        break;
      case 'stop':
        void ask(describeStop(mode), {
          call: createCall('DELETE /workers/:id', ofWorker),
          refused: 'The worker was not stopped',
        });
        break;
      case 'restart':
        void ask(describeRestart(mode), {
          call: createCall('DELETE /workers/:id', { ...ofWorker, query: { restart: 'true' } }),
          refused: 'The worker was not restarted',
        });
        break;
      case 'mergeRevert':
        void ask(describeRevertMerge(id, pullRequest), {
          call: createCall('POST /pull-requests/:number/merge', {
            params: { number: `${pullRequest}` },
            body: {},
          }),
          refused: 'The revert was not merged',
        });
        break;
      case 'prompt':
      case 'advance':
      case 'pause':
      case 'edit':
      case 'dispatch':
      case 'rollback':
      case 'reject':
        setDialog(action);
    }
  };
  return { perform, dialog, close: () => setDialog(null), menu, setMenu, isBusy: mutation.isPending };
}

/** The answer box is on another tab, which has to be rendered before the box can take the focus. */
function startAnswer(): void {
  setFields({ tab: null }, { replace: false });
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-answer] textarea')?.focus());
}

function describeApproval(id: string): ConfirmQuestion {
  return {
    title: `Approve ${id}`,
    text: 'The step that waits for approval continues. The approval is recorded on the issue.',
    action: 'Approve',
  };
}

function describeRevertMerge(id: string, pullRequest: number | undefined): ConfirmQuestion {
  return {
    title: `Merge the revert of ${id}`,
    text: `Pull request ${pullRequest} is merged if its CI is green. The base branch then no longer contains the change.`,
    action: 'Merge revert',
    isDangerous: true,
  };
}

function describeCrashReset(mode: string): ConfirmQuestion {
  return {
    title: `Reset the crash count of ${mode}`,
    text: 'The worker may then start again. If the cause of the crashes remains, it will crash again.',
    action: 'Reset crash count',
  };
}

const STOP_CONSEQUENCE =
  'It is asked to exit, and is killed if it does not. Its commits are kept; uncommitted work may be lost.';

function describeStop(mode: string): ConfirmQuestion {
  return {
    title: `Stop the ${mode} worker`,
    text: `${STOP_CONSEQUENCE} The issue is held: no worker starts on it until someone resumes it.`,
    action: 'Stop worker',
    isDangerous: true,
  };
}

function describeRestart(mode: string): ConfirmQuestion {
  return {
    title: `Restart the ${mode} worker`,
    text: `${STOP_CONSEQUENCE} Legion then starts it again automatically.`,
    action: 'Restart worker',
    isDangerous: true,
  };
}
