/**
 * Approves the commands that a repository asks to run. Shows exactly the text to approve,
 * identified by its fingerprint.
 */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { InboxItem } from '../../../../../src/protocol/operator.ts';
import type { RepositoryCommands } from '../../../../../src/protocol/repository.ts';
import { inboxQuery } from '../../../api/queries.ts';
import { createCall, sendRequest } from '../../../api/request.ts';
import { useActionMutation } from '../../../api/use-action-mutation.ts';
import { Button } from '../../../components/button.tsx';
import { FaultText, SkeletonLines } from '../../../components/states.tsx';
import { toPlainText } from '../../../text/plain.ts';
import { INBOX_STALE_QUERIES } from '../queries.ts';
import { InboxActionRow } from './action-row.tsx';
import { Folded } from './folded.tsx';

export function CommandsPart({ item }: { readonly item: InboxItem }) {
  const { data, error } = useQuery(commandsQuery);
  if (data === undefined) return error === null ? <SkeletonLines count={3} /> : <FaultText error={error} />;
  const requested = data.find(({ repo, approved }) => !approved && repo === item.repo);
  if (requested === undefined) return <p className="faint">Nothing here needs approval any more.</p>;
  return <CommandsToApprove requested={requested} />;
}

function CommandsToApprove({
  requested: { repo, fingerprint, commands, prompts },
}: {
  readonly requested: RepositoryCommands;
}) {
  const mutation = useActionMutation(INBOX_STALE_QUERIES);
  const approve = () =>
    mutation.mutate({
      call: createCall('POST /repositories/commands/approve', { body: { repo, fingerprint } }),
    });
  return (
    <>
      <dl className="inbox-commands">
        {Object.entries(commands).map(([name, argv]) => (
          <div key={name}>
            <dt>{toPlainText(name)}</dt>
            <dd>
              {/* Shows each argument separately, so that an argument with a space in it does not look like two. */}
              {argv.map((word, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the same argument may occur twice.
                <code key={index}>{toPlainText(word)}</code>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      {Object.entries(prompts).map(([name, text]) => (
        <Folded key={name} label={`Prompt ${toPlainText(name)}`} isOpen={false}>
          <pre className="inbox-prompt">{toPlainText(text)}</pre>
        </Folded>
      ))}
      <InboxActionRow error={mutation.error}>
        <Button variant="main" icon="check" data-does="a" isBusy={mutation.isPending} onClick={approve}>
          Approve exactly these commands
        </Button>
        <span className="faint">
          <code>{fingerprint.slice(0, 12)}</code>. Changed commands need a new approval.
        </span>
      </InboxActionRow>
    </>
  );
}

/**
 * The key starts with the inbox key, so that invalidating the inbox also invalidates this query.
 */
const commandsQuery = queryOptions({
  queryKey: [...inboxQuery.queryKey, 'commands'],
  queryFn: ({ signal }) => sendRequest(createCall('GET /repositories/commands'), 'list', { signal }),
});
