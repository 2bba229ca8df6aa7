/** OpenCode as the driver speaks to it: over the HTTP interface of a server that is this worker's own. */
import type { Dialect } from '../../driving/dialect.ts';
import { openConversation } from './conversation.ts';

export const opencode: Dialect = {
  // It has no hook that could keep a session from ending its turn.
  reminders: 'driver',
  open: openConversation,
};
