/** `legion pause` and `legion resume`: hold one issue, or the start of any worker, and let go again. */
import { saidAnswer } from '../../protocol/operator.ts';
import { route } from '../daemon-client.ts';
import { parseIssueId } from '../parse-names.ts';
import { safeText } from '../present/safe.ts';
import { daemonCommand } from '../program/daemon-command.ts';

export const pause = daemonCommand(
  {
    name: 'pause',
    says: 'Holds an issue; without one, the whole legion: no worker is started. Running workers continue.',
    takes: { issue: 'optional' },
    options: { why: { value: 'TEXT', says: 'the reason, for whoever asks later' } },
  },
  async ({ issue, options: { why } }, { daemon, by }) => {
    const path = issue === undefined ? '/pause' : route`/issues/${parseIssueId(issue)}/pause`;
    const body = { by, ...(why !== undefined && { why }) };
    const said = await daemon.request('POST', path, saidAnswer, { body });
    return { data: said, text: safeText(said.says) };
  },
);

export const resume = daemonCommand(
  {
    name: 'resume',
    says: 'Ends the hold of an issue; without one, the pause or halt of the whole legion.',
    takes: { issue: 'optional' },
  },
  async ({ issue }, { daemon, by }) => {
    const path = issue === undefined ? '/resume' : route`/issues/${parseIssueId(issue)}/resume`;
    const said = await daemon.request('POST', path, saidAnswer, { body: { by } });
    return { data: said, text: safeText(said.says) };
  },
);
