/** `legion pause` and `legion resume`: hold one issue, or the start of any worker, and let go again. */
import { saidAnswer } from '../../protocol/operator.ts';
import { asking } from '../asking.ts';
import { route } from '../daemon-client.ts';
import { issueNamed } from '../named.ts';
import { safeText } from '../present/safe.ts';

export const pause = asking(
  {
    name: 'pause',
    says: 'Holds an issue; without one, the whole legion: no worker is started. Running workers continue.',
    takes: { issue: 'optional' },
    options: { why: { value: 'TEXT', says: 'the reason, for whoever asks later' } },
  },
  async ({ issue, options: { why } }, { daemon, by }) => {
    const path = issue === undefined ? '/pause' : route`/issues/${issueNamed(issue)}/pause`;
    const body = { by, ...(why !== undefined && { why }) };
    const said = await daemon.request('POST', path, saidAnswer, { body });
    return { data: said, text: safeText(said.says) };
  },
);

export const resume = asking(
  {
    name: 'resume',
    says: 'Ends the hold of an issue; without one, the pause or halt of the whole legion.',
    takes: { issue: 'optional' },
  },
  async ({ issue }, { daemon, by }) => {
    const path = issue === undefined ? '/resume' : route`/issues/${issueNamed(issue)}/resume`;
    const said = await daemon.request('POST', path, saidAnswer, { body: { by } });
    return { data: said, text: safeText(said.says) };
  },
);
