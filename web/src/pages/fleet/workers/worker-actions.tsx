/** Actions on a worker. Stopping it, or resetting its crash count, asks for confirmation first. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isLive, isWaiting } from '../../../../../src/core/model/lifecycle.ts';
import type { ActionAnswer } from '../../../../../src/protocol/operator.ts';
import type { WorkerView } from '../../../../../src/protocol/workers.ts';
import { workersQuery } from '../../../api/queries.ts';
import { type ApiCall, createCall, sendRequest } from '../../../api/request.ts';
import { useActionMutation } from '../../../api/use-action-mutation.ts';
import { type ConfirmQuestion, useConfirm } from '../../../components/confirm.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { MenuButton } from '../../../components/menu-button.tsx';
import { useToasts } from '../../../components/toast.tsx';
import { WriteBox } from '../../../components/write-box.tsx';
import { useDraft } from '../../../drafts/draft.ts';
import { openPage } from '../../../router/location.ts';
import { toTranscriptPath } from '../../board/issue-path.ts';
import { markInitialFocus } from '../../issue/initial-focus.ts';

export function WorkerActions({ worker }: { readonly worker: WorkerView }) {
  const { id, issue, mode, status, crashes } = worker;
  const confirm = useConfirm();
  const [isPrompting, setIsPrompting] = useState(false);
  const { mutate } = useActionMutation({ keys: [], awaited: workersQuery.queryKey });
  const params = { id };
  const ask = async (question: ConfirmQuestion, call: ApiCall<ActionAnswer>) => {
    if (await confirm(question)) mutate({ call, refused: `${id} was not changed` });
  };
  const isActive = isLive(status) || isWaiting(status);
  return (
    <>
      <MenuButton
        name={`Actions for ${id}`}
        icon="more"
        items={[
          { id: 'prompt', label: 'Send a message…', run: () => setIsPrompting(true) },
          {
            id: 'transcript',
            label: 'Read its transcript',
            run: () => openPage(toTranscriptPath(issue, mode)),
          },
          {
            id: 'crashes',
            label: 'Reset crash count…',
            isDisabled: crashes === 0 && status !== 'paused',
            run: () =>
              void ask(describeCrashReset(worker), createCall('DELETE /workers/:id/crashes', { params })),
          },
          {
            id: 'stop',
            label: 'Stop and hold the issue…',
            isDisabled: !isActive,
            run: () => void ask(describeStop(worker), createCall('DELETE /workers/:id', { params })),
          },
          {
            id: 'restart',
            label: 'Restart…',
            isDisabled: !isActive,
            run: () =>
              void ask(
                describeRestart(worker),
                createCall('DELETE /workers/:id', { params, query: { restart: 'true' } }),
              ),
          },
        ]}
      />
      {isPrompting && <PromptDialog worker={worker} onClose={() => setIsPrompting(false)} />}
    </>
  );
}

const STOP_CONSEQUENCE = 'is asked to exit, and is killed if it does not. Its commits and reports are kept.';

function describeStop({ id, issue, attempt }: WorkerView): ConfirmQuestion {
  return {
    title: `Stop ${id}?`,
    text: `Attempt ${attempt} ${STOP_CONSEQUENCE} No worker starts on ${issue} until someone resumes it.`,
    action: 'Stop worker',
    isDangerous: true,
  };
}

function describeRestart({ id, attempt }: WorkerView): ConfirmQuestion {
  return {
    title: `Restart ${id}?`,
    text: `Attempt ${attempt} ${STOP_CONSEQUENCE} Legion then starts it again automatically.`,
    action: 'Restart',
    isDangerous: true,
  };
}

function describeCrashReset({ id, crashes }: WorkerView): ConfirmQuestion {
  return {
    title: `Reset the crash count of ${id}?`,
    text: `The crash count is ${crashes}. Resetting it lets the worker start again, but the cause of the crashes may remain.`,
    action: 'Reset crash count',
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
      sendRequest(
        createCall('POST /workers/:id/prompt', { params: { id }, body: { text, interrupt: isInterrupting } }),
        ['says'],
      ),
    onSuccess: ({ says }) => {
      draft.set('');
      toasts.show(says);
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: workersQuery.queryKey }),
  });
  return (
    <Dialog title={`Send a message to ${id}`} isOpen onClose={onClose}>
      <WriteBox
        ref={markInitialFocus}
        name={`Message to ${id}`}
        placeholder="The worker reads this as a message from its operator"
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
            Interrupt its current turn
          </label>
        )}
      </WriteBox>
    </Dialog>
  );
}
