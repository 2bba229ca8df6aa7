/** What a repository asks to have run: the very text that would be approved, by its fingerprint. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { InboxItem, RepositoryCommands } from '../../../../../src/protocol/operator.ts';
import { inboxQuery } from '../../../api/queries.ts';
import { call, request } from '../../../api/request.ts';
import { Button } from '../../../components/button.tsx';
import { FaultText, SkeletonLines } from '../../../components/states.tsx';
import { plain } from '../../../text/plain.ts';
import { useSettle } from '../settle.ts';
import { SettleRow } from './action-row.tsx';
import { Folded } from './folded.tsx';

export function CommandsPart({ item }: { readonly item: InboxItem }) {
  const { data, error } = useQuery(commandsQuery);
  if (data === undefined) return error === null ? <SkeletonLines count={3} /> : <FaultText error={error} />;
  const asked = data.find(({ repo, approved }) => !approved && repo === item.repo);
  if (asked === undefined) return <p className="faint">Nothing of it waits for approval any more.</p>;
  return <Asked asked={asked} />;
}

function Asked({ asked: { repo, fingerprint, commands, prompts } }: { readonly asked: RepositoryCommands }) {
  const settle = useSettle();
  const approve = () =>
    settle.run({ call: call('POST /repositories/commands/approve', { body: { repo, fingerprint } }) });
  return (
    <>
      <dl className="inbox-commands">
        {Object.entries(commands).map(([name, argv]) => (
          <div key={name}>
            <dt>{plain(name)}</dt>
            <dd>
              {/* Each argument by itself: one with a space in it is not two. */}
              {argv.map((word, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the same word may stand twice, and only its place tells them apart.
                <code key={index}>{plain(word)}</code>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      {Object.entries(prompts).map(([name, text]) => (
        <Folded key={name} says={`Prompt ${plain(name)}`} isOpen={false}>
          <pre className="inbox-prompt">{plain(text)}</pre>
        </Folded>
      ))}
      <SettleRow error={settle.error}>
        <Button look="main" icon="check" data-does="a" isBusy={settle.isPending} onClick={approve}>
          Approve exactly this
        </Button>
        <span className="faint">
          <code>{fingerprint.slice(0, 12)}</code>; a change of it asks again.
        </span>
      </SettleRow>
    </>
  );
}

/** Below the list's own key: whatever makes that old makes this old too. */
const commandsQuery = queryOptions({
  queryKey: [...inboxQuery.queryKey, 'commands'],
  queryFn: ({ signal }) => request(call('GET /repositories/commands'), 'list', { signal }),
});
