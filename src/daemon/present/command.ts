/** Commands in words for people. */
import type { Command } from '../../core/model/command.ts';
import { labelsInWords } from './labels.ts';

export function commandInWords(command: Command): string {
  switch (command.kind) {
    case 'write_issue': {
      const { moveTo, add, remove } = command;
      const labels = labelsInWords(add, remove);
      return [
        ...(moveTo === undefined ? [] : [`move it to ${moveTo}`]),
        ...(labels === '' ? [] : [labels]),
      ].join('; ');
    }
    case 'spawn':
      return `start ${command.mode}, attempt ${command.attempt} (${command.purpose})`;
    case 'comment':
      return 'comment on the issue';
    case 'escalate':
      return 'tell a person';
    case 'reread_forge':
      return 'read the forge again';
    case 'run_quality_gate':
      return `run the quality gate at ${command.sha.slice(0, 12)}`;
    case 'add_closing_keyword':
      return `add ${JSON.stringify(command.line)} to the pull request`;
    case 'stop':
      return `stop ${command.mode}, attempt ${command.attempt}`;
    case 'clean_workspace':
      return 'remove the workspace';
  }
}
