/** What the inbox asks for beside its list. */
import { queryOptions } from '@tanstack/react-query';
import type { RepositoryCommands } from '../../../../src/protocol/operator.ts';
import { inboxQuery } from '../../api/queries.ts';
import { request } from '../../api/request.ts';

/** Below the list's own key: whatever makes that old makes this old too. */
export const commandsQuery = queryOptions({
  queryKey: [...inboxQuery.queryKey, 'commands'],
  queryFn: ({ signal }) =>
    request<readonly RepositoryCommands[]>('GET', '/repositories/commands', 'list', { signal }),
});
