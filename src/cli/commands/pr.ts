/** `legion pr merge`: merges a pull request of the local forge. */
import { LegionError } from '../../domain/fault.ts';
import { shown } from '../../domain/shown.ts';
import { mergeAnswer } from '../../protocol/merging.ts';
import { route } from '../daemon-client.ts';
import { family } from '../formed.ts';
import { safeText } from '../present/safe.ts';
import { daemonCommand } from '../program/daemon-command.ts';

const merge = daemonCommand(
  {
    name: 'pr merge',
    says: [
      'Merges a pull request of the local forge, for example the revert that `legion rollback` opened.',
      'The pull request of an issue has to pass its gate (`legion gates ISSUE`); a revert needs green CI.',
    ].join('\n'),
    takes: { number: 'one' },
    options: {
      force: { says: 'merge a revert although its CI is not green; the journal keeps who did' },
      repo: { value: 'NAME', says: 'the repository, where several have a pull request of this number' },
    },
  },
  async ({ number, options: { force, repo } }, { daemon, by }) => {
    const path = route`/pull-requests/${String(parseNumber(number))}/merge`;
    const body = { by, force, ...(repo !== undefined && { repo }) };
    const answer = await daemon.request('POST', path, mergeAnswer, { body });
    return { data: answer, text: safeText(answer.says) };
  },
);

export const pr = family('pr', 'Works on pull requests of the local forge.', { merge });

/** People write `7` and `#7`. */
function parseNumber(text: string): number {
  const [, digits] = /^#?(\d{1,9})$/.exec(text.trim()) ?? [];
  const number = Number(digits);
  if (number > 0) return number;
  throw new LegionError(
    'usage.invalid',
    `Unknown pull request ${shown(text)}. Valid: its number, such as 7.`,
  );
}
