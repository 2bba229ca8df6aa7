/**
 * The kill switch: asks for confirmation, stops every worker, and shows on every page that the
 * legion is halted until it is resumed.
 */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { healthQuery, inboxQuery, workersQuery } from '../api/queries.ts';
import { createCall, sendRequest } from '../api/request.ts';
import { Button } from '../components/button.tsx';
import { type ConfirmQuestion, useConfirm } from '../components/confirm.tsx';
import { Time } from '../components/time.tsx';
import { useToasts } from '../components/toast.tsx';
import { toPlainText } from '../text/plain.ts';

const HALT: ConfirmQuestion = {
  title: 'Halt the legion?',
  text: 'Every worker is stopped at once, and none starts until someone resumes the legion, even after a restart. A merge in progress completes first. Commits and reports are kept, and sessions continue after the resume.',
  action: 'Halt everything',
  isDangerous: true,
};

/** Stops every worker after a confirmation. */
export function useHalt(): { readonly halt: () => void; readonly isBusy: boolean } {
  const confirm = useConfirm();
  const { mutate, isPending } = useHold('POST /halt', 'The legion was not halted');
  const halt = async () => {
    if (await confirm(HALT)) mutate();
  };
  return { halt: () => void halt(), isBusy: isPending };
}

export function HaltButton() {
  const { halt, isBusy } = useHalt();
  return (
    <Button variant="danger" isBusy={isBusy} onClick={halt}>
      Halt everything…
    </Button>
  );
}

/** Visible on every page while the legion is halted. */
export function HaltedBanner() {
  const { data: health } = useQuery(healthQuery);
  const { mutate, isPending } = useHold('POST /resume', 'The legion stays halted');
  if (health === undefined || health.starts.kind !== 'halt') return null;
  const { why, since } = health.starts;
  return (
    <div className="banner tone-bad" role="status">
      <span>
        <strong>Halted.</strong> No workers are running, and none can start:{' '}
        {toPlainText(why ?? 'halted by an operator')}
        {since !== undefined && (
          <>
            , <Time at={since} suffix=" ago" />
          </>
        )}
        .
      </span>
      <Button icon="play" isBusy={isPending} onClick={() => mutate()}>
        Resume the legion
      </Button>
    </div>
  );
}

function useHold(route: 'POST /halt' | 'POST /resume', refused: string) {
  const client = useQueryClient();
  const toasts = useToasts();
  return useMutation({
    mutationFn: () => sendRequest(createCall(route, { body: {} }), ['says']),
    onSuccess: ({ says }) => toasts.show(says),
    onError: (error) => toasts.showError(refused, error),
    onSettled: () => {
      for (const { queryKey } of [healthQuery, workersQuery, inboxQuery])
        void client.invalidateQueries({ queryKey });
    },
  });
}
