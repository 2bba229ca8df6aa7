/** Names the steps to an approval in their order: only a running daemon takes one. */
import { readDaemonFile } from '../../daemon-address.ts';

/** `usual` is the advice while a daemon runs. */
export function adviseApproval(state: string, usual: string): string {
  return readDaemonFile(state) === undefined
    ? 'Start the daemon with `legion up`, then read and approve them with `legion approve --commands`.'
    : usual;
}
