/** What can be done about a worker. What ends its work, or lets it start again after crashes, is asked about first. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isLive, isWaiting } from '../../../../../src/domain/lifecycle.ts';
import type { Said, WorkerView } from '../../../../../src/protocol/operator.ts';
import { workersQuery } from '../../../api/queries.ts';
import { type Call, call, request } from '../../../api/request.ts';
import { type Question, useConfirm } from '../../../components/confirm.tsx';
import { MenuButton } from '../../../components/menu-button.tsx';
import { useToasts } from '../../../components/toast.tsx';
import { go } from '../../../router/location.ts';
import { transcriptPath } from '../../board/issue-path.ts';
import { PromptDialog } from './prompt-dialog.tsx';

export function WorkerActions({ worker }: { readonly worker: WorkerView }) {
  const { id, issue, mode, status, crashes } = worker;
  const client = useQueryClient();
  const toasts = useToasts();
  const confirm = useConfirm();
  const [isPrompting, setIsPrompting] = useState(false);
  const { mutate } = useMutation({
    mutationFn: (deed: Call<Said>) => request(deed, ['says']),
    onSuccess: ({ says }) => toasts.say(says),
    onError: (error) => toasts.complain(`${id} is as it was`, error),
    onSettled: () => client.invalidateQueries({ queryKey: workersQuery.queryKey }),
  });
  const params = { id };
  const ask = async (question: Question, then: Call<Said>) => {
    if (await confirm(question)) mutate(then);
  };
  const hasPlace = isLive(status) || isWaiting(status);
  return (
    <>
      <MenuButton
        name={`Actions for ${id}`}
        icon="more"
        items={[
          { id: 'prompt', says: 'Say something to it …', run: () => setIsPrompting(true) },
          {
            id: 'transcript',
            says: 'Read its transcript',
            run: () => go(transcriptPath(issue, mode)),
          },
          {
            id: 'crashes',
            says: 'Forget its crashes …',
            isDisabled: crashes === 0 && status !== 'paused',
            run: () => void ask(forgetting(worker), call('DELETE /workers/:id/crashes', { params })),
          },
          {
            id: 'stop',
            says: 'Stop it and hold its issue …',
            isDisabled: !hasPlace,
            run: () => void ask(stopping(worker), call('DELETE /workers/:id', { params })),
          },
          {
            id: 'restart',
            says: 'Stop it and let Legion start it again …',
            isDisabled: !hasPlace,
            run: () =>
              void ask(
                restarting(worker),
                call('DELETE /workers/:id', { params, query: { restart: 'true' } }),
              ),
          },
        ]}
      />
      {isPrompting && <PromptDialog worker={worker} onClose={() => setIsPrompting(false)} />}
    </>
  );
}

const ENDS = 'is asked to end, and is ended if it does not. What it has committed and reported stays.';

function stopping({ id, issue, attempt }: WorkerView): Question {
  return {
    title: `Stop ${id}?`,
    text: `Attempt ${attempt} ${ENDS} Nothing starts for ${issue} until someone resumes it.`,
    action: 'Stop the worker',
    isDangerous: true,
  };
}

function restarting({ id, attempt }: WorkerView): Question {
  return {
    title: `Stop ${id} and start it again?`,
    text: `Attempt ${attempt} ${ENDS} Legion then starts it again by itself.`,
    action: 'Stop and start again',
    isDangerous: true,
  };
}

function forgetting({ id, crashes }: WorkerView): Question {
  return {
    title: `Forget the crashes of ${id}?`,
    text: `${crashes === 1 ? 'One crash counts' : `${crashes} crashes count`} at present. Without them it may be started again; what made it crash may still be there.`,
    action: 'Forget them',
  };
}
