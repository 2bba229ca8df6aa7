/** What a person agrees to before the first real worker starts: one screen, wrapped when it is printed. */

import type { AgentTrust } from '../../../config/consent.ts';
import { dollars } from '../../../domain/format.ts';
import type { Place } from '../../place.ts';
import { fields, heading } from '../../present/page.ts';

export function consentPage({ agents, budgets }: AgentTrust, place: Place, user: string): string {
  const who = agents.join(', ');
  return [
    heading('Before the first worker starts'),
    fields([
      [
        '  What it may do',
        [
          `${who} runs as your user (${user}), without a sandbox, and asks nobody for permission (its permission checks are bypassed).`,
          'It can run any command, read and change every file that you can, keys and other repositories included, and use the network.',
        ].join(' '),
      ],
      [
        '  What it may cost',
        [
          `${inDollars(budgets.issueUsd)} per issue and ${inDollars(budgets.dayUsd)} per day, until local midnight.`,
          'When a budget is reached, running turns end and nothing starts.',
          `Agents that report no cost (codex) are limited by tokens instead: ${inTokens(budgets.issueTokens)} per issue, ${inTokens(budgets.dayTokens)} per day.`,
          ...(Object.values(budgets).includes(0) ? ['One of these is 0: no worker starts.'] : []),
        ].join('\n'),
      ],
      ['  What changes', changesIn(place)],
      [
        '  How to stop it',
        [
          'legion halt           stops every worker and starts none; it works without a daemon, too',
          'legion stop --all     the same',
          'legion down --stop    stops the workers and the daemon',
        ].join('\n'),
      ],
    ]),
    '\n',
  ].join('');
}

function changesIn({ resolved: { config } }: Place): string {
  if (config.forge === 'github')
    return 'Branches, pull requests and merges on GitHub. Your own checkout is left alone.';
  return 'A merge moves the base branch of this repository forward (a fast-forward), never over uncommitted changes to the same files. Nothing else in your checkout changes.';
}

function inDollars(limit: number | 'none'): string {
  return limit === 'none' ? 'no limit of money' : `at most ${dollars(limit)}`;
}

function inTokens(limit: number | 'none'): string {
  return limit === 'none' ? 'without a limit' : limit.toLocaleString('en');
}
