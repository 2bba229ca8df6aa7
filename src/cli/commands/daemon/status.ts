/**
 * `legion status`: shows the daemon, and each issue with its worker and the reason for its state.
 */

import { Command } from '@commander-js/extra-typings';
import { CATALOGUE } from '../../../core/model/fault.ts';
import type { adminEndpoints } from '../../../protocol/endpoints/admin.ts';
import { explainIfNotRunning } from '../../explain-not-running.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { renderExamples } from '../../program/define-command.ts';

/**
 * Duplicates the path of the endpoint, because importing the endpoint would take as long as the
 * daemon takes to respond.
 */
const PATH: (typeof adminEndpoints)['status']['path'] = '/status';

const START_IT = CATALOGUE['daemon.not_running'].next;

export const status = daemonCommand(
  () =>
    new Command()
      .description(
        'Show the daemon and its problems, and each open issue with its worker and the reason for its state.',
      )
      .option('--all', 'Also show issues that are done or closed')
      .addHelpText('after', renderExamples('legion status', 'legion status --all --json')),
  async ({ options }, session) => {
    const { json, columns } = session;
    const query = {
      finished: options.all === true ? 'all' : undefined,
      detail: json ? 'full' : undefined,
    } as const;
    const answer = await explainIfNotRunning(session, START_IT, () =>
      session.daemon.callEarly({ path: PATH, query }, async () => {
        const [endpoints] = await Promise.all([
          import('../../../protocol/endpoints/admin.ts'),
          json ? undefined : import('../../present/status.ts'),
        ]);
        return endpoints.adminEndpoints.status;
      }),
    );
    const { daemon, workers = [], inbox = [], issues } = answer;
    return {
      data: { daemon, workers, inbox, issues },
      text: json ? '' : (await import('../../present/status.ts')).renderStatusPage(answer, columns),
    };
  },
);
