/** `legion completion`: prints the script that makes a shell complete `legion`. */
import { Command } from '@commander-js/extra-typings';
import { LegionError, shown } from '../../../core/model/fault.ts';
import { SCRIPTS, SHELLS, type Shell } from '../../completion/scripts.ts';
import { defineCommand } from '../../program/define-command.ts';
import { examples } from '../../program/options.ts';

export const completion = defineCommand(
  () =>
    new Command()
      .description(
        'Print a script that lets your shell complete commands, options and the ids of issues with the Tab key. For bash, put `source <(legion completion bash)` into ~/.bashrc.',
      )
      .argument('<SHELL>', `Your shell: ${SHELLS.join(', ')}`)
      .addHelpText('after', examples('legion completion bash', 'legion completion fish')),
  async ({ positionals: [shell] }, { stdout }) => {
    stdout.write(SCRIPTS[parseShell(shell)]);
    return undefined;
  },
);

function parseShell(text: string): Shell {
  const shell = SHELLS.find((each) => each === text);
  if (shell !== undefined) return shell;
  throw new LegionError('usage.invalid', `Unknown shell ${shown(text)}. Valid: ${SHELLS.join(', ')}.`);
}
