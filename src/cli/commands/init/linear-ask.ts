/** What a person is asked about a board in Linear: which team it is, where the code lives, and whether its states may be made. */
import { LegionError } from '../../../core/model/fault.ts';
import type { Team } from '../../../integrations/linear/client/teams.ts';
import { type Choice, chosen } from '../../ask-person.ts';
import type { CommandContext } from '../../command.ts';
import { agreed } from './board-ask.ts';

const FORGES: readonly Choice<'local' | 'github'>[] = [
  { value: 'local', label: 'on this machine', hint: 'needs no account' },
  { value: 'github', label: 'on GitHub' },
];

export async function askForge(context: CommandContext): Promise<'local' | 'github'> {
  return chosen(context, 'Where pull requests live', FORGES, 'local');
}

export async function askTeam(teams: readonly Team[], context: CommandContext): Promise<Team> {
  const [first] = teams;
  if (first === undefined) throw noTeam(teams);
  const choices = teams.map(({ key, name }) => ({ value: key, label: key, hint: name }));
  const answer = await chosen(context, 'Which team has the issues', choices, first.key);
  return teams.find(({ key }) => key === answer) ?? first;
}

/** As many as can be read at a glance. */
const NAMED_MOST = 8;

/** For whoever cannot be asked. */
export function noTeam(teams: readonly Team[]): LegionError {
  if (teams.length === 0)
    return new LegionError(
      'linear.missing',
      'the account sees no team; make it a member of one, or give the key access to it',
    );
  const some = teams.slice(0, NAMED_MOST).map(({ key, name }) => `${key} (${name})`);
  const more = teams.length > some.length ? ' and others, which `legion teams --linear` lists' : '';
  return new LegionError('usage.invalid', `--team KEY is needed; there are ${some.join(', ')}${more}`);
}

export async function askMakeStates(names: readonly string[], context: CommandContext): Promise<boolean> {
  return agreed(`Make the states ${names.join(', ')}?`, context);
}
