/** What the inbox asks for beside its list. */
import { queryOptions } from '@tanstack/react-query';
import { inboxQuery } from '../../api/queries.ts';
import { call, request } from '../../api/request.ts';

/** Below the list's own key: whatever makes that old makes this old too. */
export const commandsQuery = queryOptions({
  queryKey: [...inboxQuery.queryKey, 'commands'],
  queryFn: ({ signal }) => request(call('GET /repositories/commands'), 'list', { signal }),
});
