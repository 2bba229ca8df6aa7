/** Settling one item: it is pending until the list has been read again, so that it leaves by what the daemon says and not by hope. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Said } from '../../../../src/protocol/operator.ts';
import { boardQuery, healthQuery, inboxQuery } from '../../api/queries.ts';
import { type Call, request } from '../../api/request.ts';
import { useToasts } from '../../components/toast.tsx';

export interface Settling {
  readonly call: Call<Said>;
  /** Before the list is read again. */
  onDone?(): void;
}

export interface Settle {
  run(settling: Settling): void;
  readonly isPending: boolean;
  /** Shown in the item itself: what was to be done is still there to be done. */
  readonly error: Error | null;
}

export function useSettle(): Settle {
  const client = useQueryClient();
  const toasts = useToasts();
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ call }: Settling) => request(call, ['says']),
    onSuccess: ({ says }, { onDone }) => {
      onDone?.();
      toasts.say(says);
    },
    onSettled: async () => {
      void client.invalidateQueries({ queryKey: boardQuery.queryKey });
      void client.invalidateQueries({ queryKey: healthQuery.queryKey });
      await client.invalidateQueries({ queryKey: inboxQuery.queryKey });
    },
  });
  return { run: mutate, isPending, error };
}
