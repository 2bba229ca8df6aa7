/** Does what was offered: at once, after a question, or through a dialog. */
import { useState } from 'react';
import { call } from '../../../api/request.ts';
import { type Question, useConfirm } from '../../../components/confirm.tsx';
import { setFields } from '../../../router/location.ts';
import { type Deed, useAct } from './act.ts';
import type { DialogName, Offer } from './available-actions.ts';
export type Deeds = ReturnType<typeof useDeeds>;

export function useDeeds(id: string) {
  const act = useAct(id);
  const confirm = useConfirm();
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const [menu, setMenu] = useState<'actions' | 'columns' | null>(null);

  const ask = async (question: Question, deed: Deed) => {
    if (await confirm(question)) act.mutate(deed);
  };
  const perform = ({ deed, worker, pullRequest }: Offer): void => {
    const params = { id };
    const ofWorker = { params: { id: worker?.id ?? '' } };
    const mode = worker?.mode ?? '';
    switch (deed) {
      case 'answer':
        beginAnswer();
        break;
      case 'move':
        setMenu('columns');
        break;
      case 'resume_legion':
        act.mutate({ call: call('POST /resume', { body: {} }), refused: 'The legion stays held' });
        break;
      case 'approve':
        void ask(approving(id), {
          call: call('POST /issues/:id/approve', { params, body: {} }),
          refused: 'It was not approved',
        });
        break;
      case 'resume':
        act.mutate({
          call: call('POST /issues/:id/resume', { params, body: {} }),
          refused: 'It stays paused',
        });
        break;
      case 'reset':
        void ask(clearing(mode), {
          call: call('DELETE /workers/:id/crashes', ofWorker),
          refused: 'Its crashes still count',
        });
        break;
      case 'stop':
        void ask(stopping(mode), {
          call: call('DELETE /workers/:id', ofWorker),
          refused: 'It was not stopped',
        });
        break;
      case 'restart':
        void ask(restarting(mode), {
          call: call('DELETE /workers/:id', { ...ofWorker, query: { restart: 'true' } }),
          refused: 'It was not stopped',
        });
        break;
      case 'mergeRevert':
        void ask(mergingRevert(id, pullRequest), {
          call: call('POST /pull-requests/:number/merge', {
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
        setDialog(deed);
    }
  };
  return { perform, dialog, close: () => setDialog(null), menu, setMenu, isBusy: act.isPending };
}

/** The box is on another part of the page, which has to be there before it can have the focus. */
function beginAnswer(): void {
  setFields({ tab: null }, { replace: false });
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-answer] textarea')?.focus());
}

function approving(id: string): Question {
  return {
    title: `Approve ${id}`,
    text: 'What waits for approval goes on from there. That you approved it is written on the issue.',
    action: 'Approve',
  };
}

function mergingRevert(id: string, pullRequest: number | undefined): Question {
  return {
    title: `Merge the revert of ${id}`,
    text: `Pull request ${pullRequest} is merged if its CI is green. The base branch then no longer contains the change.`,
    action: 'Merge revert',
    isDangerous: true,
  };
}

function clearing(mode: string): Question {
  return {
    title: `Clear the crashes of ${mode}`,
    text: 'It may then be started again. If what made it crash is still there, it will crash again.',
    action: 'Clear them',
  };
}

const ENDS =
  'It is asked to stop, and stopped if it does not. What it has committed stays; what it has in hand may be lost.';

function stopping(mode: string): Question {
  return {
    title: `Stop the ${mode} worker`,
    text: `${ENDS} The issue is held: nothing starts for it until someone resumes it.`,
    action: 'Stop it',
    isDangerous: true,
  };
}

function restarting(mode: string): Question {
  return {
    title: `Restart the ${mode} worker`,
    text: `${ENDS} Legion then starts it again by itself.`,
    action: 'Restart it',
    isDangerous: true,
  };
}
