/** `legion prompt`: says something to a worker. */
import { promptAnswer } from '../../protocol/operator.ts';
import { route } from '../daemon-client.ts';
import { pickWorker } from '../pick-worker.ts';
import { safeText } from '../present/safe.ts';
import { daemonCommand } from '../program/daemon-command.ts';

export const prompt = daemonCommand(
  {
    name: 'prompt',
    says: 'Says something to a worker of an issue. A busy one hears it as soon as it is idle.',
    takes: { issue: 'one', text: 'many' },
    options: {
      mode: { value: 'MODE', says: 'which worker; default: the one at work, or the last one' },
      interrupt: { says: 'cut its present turn short for it' },
    },
  },
  async ({ issue, text, options }, { daemon, by }) => {
    const worker = await pickWorker(daemon, issue, options.mode);
    const body = { text: text.join(' '), by, interrupt: options.interrupt === true };
    const answer = await daemon.request('POST', route`/workers/${worker}/prompt`, promptAnswer, { body });
    return { data: { worker, ...answer }, text: `${worker}: ${answer.delivery}. ${safeText(answer.says)}` };
  },
);
