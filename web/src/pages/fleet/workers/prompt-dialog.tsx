/** Saying something to a worker. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isLive } from '../../../../../src/domain/lifecycle.ts';
import type { WorkerView } from '../../../../../src/protocol/operator.ts';
import { workersQuery } from '../../../api/queries.ts';
import { call, request } from '../../../api/request.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { useToasts } from '../../../components/toast.tsx';
import { WriteBox } from '../../../components/write-box.tsx';
import { useDraft } from '../../../drafts/draft.ts';
import { beginsHere } from '../../issue/begins-here.ts';

interface PromptDialogProps {
  readonly worker: WorkerView;
  onClose(): void;
}

export function PromptDialog({ worker: { id, status }, onClose }: PromptDialogProps) {
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
