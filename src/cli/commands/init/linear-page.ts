/** A board in Linear in the words of `legion init` and `legion doctor`. */
import type { Team } from '../../../integrations/linear/client/teams.ts';
import type { TeamSetup } from '../../linear/states.ts';
import type { Compared } from './board-page.ts';

export function inWords(team: Team, address: string, { columns, missing, problems }: TeamSetup): Compared {
  return {
    ...{ columns, problems, columnWord: 'states', columnHead: 'STATE', byHand },
    board: { name: team.key, title: team.name, url: address },
    labels: [{ what: 'labels', missing: missing.labels }],
  };
}

export function byHand(missing: readonly string[]): string {
  return [
    `Issues cannot be moved to ${missing.join(', ')}: let Legion make these states, which changes nothing else:`,
    '  legion init --create-missing',
    'Or add them in the settings of the team, or name under statuses in legion.yaml the states that mean the same.',
  ].join('\n');
}
