/** What shows workers in windows, where the configuration wants that. */
import { askProgram, findProgram } from '../../../agents/program.ts';
import { MODES } from '../../../domain/mode.ts';
import type { CommandContext } from '../../command.ts';
import type { Place } from '../../place.ts';
import { type Finding, ok, warn } from './finding.ts';

/** Without it nothing but the windows is missing, so it is no reason not to begin. */
export async function examineViews(
  { resolved }: Place,
  context: CommandContext,
): Promise<readonly Finding[]> {
  const { agents } = resolved.config;
  if (!MODES.some((mode) => (agents[mode]?.view ?? agents.default.view) === 'tmux')) return [];
  const program = await findProgram('tmux', context.env);
  if (program === undefined)
    return [
      warn(
        'tmux',
        'it is not on the PATH, and workers are to be shown in its windows',
        'Install tmux, or set `view: none`.',
      ),
    ];
  const { out } = await askProgram(program, ['-V'], context.env, context.signal);
  return [ok('tmux', out.trim())];
}
