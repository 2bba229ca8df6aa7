/** `legion completion`: prints a shell completion script. */
import { Command } from '@commander-js/extra-typings';
import { LegionError, quoteText } from '../../../core/model/fault.ts';
import { type CompletionShell, SCRIPTS, SHELLS } from '../../completion/scripts.ts';
import { defineCommand, renderExamples } from '../../program/define-command.ts';

export const completion = defineCommand(
  () =>
    new Command()
      .description(
        'Print a script that lets your shell complete commands, options and issue ids with the Tab key. For bash, add `source <(legion completion bash)` to ~/.bashrc.',
      )
      .argument('<SHELL>', `Your shell: ${SHELLS.join(', ')}`)
      .addHelpText('after', renderExamples('legion completion bash', 'legion completion fish')),
  async ({ positionals: [shell] }, { stdout }) => {
    stdout.write(SCRIPTS[parseShell(shell)]);
    return undefined;
  },
);

function parseShell(text: string): CompletionShell {
  const shell = SHELLS.find((each) => each === text);
  if (shell !== undefined) return shell;
  throw new LegionError('usage.invalid', `Unknown shell ${quoteText(text)}. Valid: ${SHELLS.join(', ')}.`);
}
