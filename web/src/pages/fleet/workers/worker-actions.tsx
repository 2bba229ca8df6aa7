/** What can be done about a worker. What ends its work, or lets it start again after crashes, is asked about first. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isLive, isWaiting } from '../../../../../src/domain/lifecycle.ts';
import type { Said, WorkerView } from '../../../../../src/protocol/operator.ts';
import { workersQuery } from '../../../api/queries.ts';
import { type Call, call, request } from '../../../api/request.ts';
import { type Question, useConfirm } from '../../../components/confirm.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { MenuButton } from '../../../components/menu-button.tsx';
import { useToasts } from '../../../components/toast.tsx';
import { WriteBox } from '../../../components/write-box.tsx';
import { useDraft } from '../../../drafts/draft.ts';
import { go } from '../../../router/location.ts';
import { transcriptPath } from '../../board/issue-path.ts';
import { beginsHere } from '../../issue/begins-here.ts';

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

interface PromptDialogProps {
  readonly worker: WorkerView;
  onClose(): void;
}

/** Sends a message to a worker. */
function PromptDialog({ worker: { id, status }, onClose }: PromptDialogProps) {
  const client = useQueryClient();
  const toasts = useToasts();
  const draft = useDraft(`prompt ${id}`);
  const [isInterrupting, setIsInterrupting] = useState(false);
  const send = useMutation({
    mutationFn: (text: string) =>
      request(
        call('POST /workers/:id/prompt', { params: { id }, body: { text, interrupt: isInterrupting } }),
        ['says'],
      ),
    onSuccess: ({ says }) => {
      draft.set('');
      toasts.say(says);
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: workersQuery.queryKey }),
  });
  return (
    <Dialog title={`Say something to ${id}`} isOpen onClose={onClose}>
      <WriteBox
        ref={beginsHere}
        name={`What you say to ${id}`}
        placeholder="It reads this as words of its operator"
        action="Send"
        draft={draft}
        isSending={send.isPending}
        error={send.error}
        onSend={(text) => send.mutate(text)}
      >
        {isLive(status) && (
          <label className="prompt-interrupt">
            <input
              type="checkbox"
              checked={isInterrupting}
              onChange={(event) => setIsInterrupting(event.target.checked)}
            />
            Interrupt what it does now
          </label>
        )}
      </WriteBox>
    </Dialog>
  );
}
