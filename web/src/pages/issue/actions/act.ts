/** Asks the daemon to do something with the issue, says what came of it, and looks at everything again. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { describeMoveEffects, type MoveEffects } from '../../../../../src/protocol/describe-move-effects.ts';
import { boardQuery, inboxQuery } from '../../../api/queries.ts';
import { type Call, request } from '../../../api/request.ts';
import { useToasts } from '../../../components/toast.tsx';
import { FAR } from '../queries.ts';

export interface Deed {
  readonly call: Call<object>;
  /** Shown when it is done; the daemon's own sentence where it is absent. */
  readonly says?: ReactNode;
  /** A move or a close: its answer says what follows from it. */
  readonly isMove?: true;
  /** What did not happen: “Nothing was said to the worker”. Without it the caller shows the error itself. */
  readonly refused?: string;
  undo?(): void;
}

/** The daemon's answer; several say in a sentence what was done. */
interface Answer {
  readonly says?: unknown;
}

export function useAct(issue: string) {
  const client = useQueryClient();
  const toasts = useToasts();
  return useMutation({
    mutationFn: ({ call }: Deed) => request(call as Call<Answer>, []),
    onSuccess: (answer, { says, isMove, undo }) => {
      const effects = isMove ? describeMoveEffects(answer as MoveEffects, Date.now()) : [];
      toasts.say(says ?? (typeof answer.says === 'string' ? answer.says : 'Done.'), { undo, effects });
    },
    onError: (error, { refused }) => {
      if (refused !== undefined) toasts.complain(refused, error);
    },
    // Not awaited: what was asked for is done, whatever the page still has to read.
    onSettled: () => {
      for (const queryKey of [['issue', issue], [FAR, issue], boardQuery.queryKey, inboxQuery.queryKey]) {
        void client.invalidateQueries({ queryKey });
      }
    },
  });
}
