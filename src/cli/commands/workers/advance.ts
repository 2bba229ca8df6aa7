/** `legion advance`: runs the next due step of an issue. */
import { Command } from '@commander-js/extra-typings';
import { LegionError, quoteText } from '../../../core/model/fault.ts';
import { stateEndpoints } from '../../../protocol/endpoints/monitoring.ts';
import { type AdvanceAnswer, STAGES, type Stage } from '../../../protocol/operator.ts';
import { parseIssueId } from '../../parse-names.ts';
import { renderBullets, renderFields, renderHeading, renderSection } from '../../present/page.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { ISSUE_HELP, renderExamples } from '../../program/define-command.ts';

/** Exit code that tells scripts that no step was due. */
const EXIT_NOT_ADVANCED = 1;

export const advance = daemonCommand(
  () =>
    new Command()
      .description(
        'Run the next due step of an issue, or go to the stage given with --stage. Exits with 1 if nothing was done.',
      )
      .argument('<ISSUE>', ISSUE_HELP)
      .option(
        '--stage <STAGE>',
        'Go to this status or phase, such as testing or retro, even if another step is due; the journal records who forced it',
      )
      .option('--dry-run', 'Show what would be done without doing it')
      .addHelpText(
        'after',
        renderExamples('legion advance SHOP-1 --dry-run', 'legion advance SHOP-1 --stage testing'),
      ),
  async ({ positionals: [issue], options }, { daemon, by }) => {
    const { stage, dryRun = false } = options;
    const id = parseIssueId(issue);
    const body = { issue: id, dryRun, stage: stage === undefined ? undefined : parseStage(stage), by };
    const answer = await daemon.call(stateEndpoints.advance, { body });
    const isIdle = !dryRun && !answer.advanced;
    return { data: answer, text: renderAdvancePage(answer), exit: isIdle ? EXIT_NOT_ADVANCED : 0 };
  },
);

/** Also accepts a form such as `in-progress`, which needs no quotes in a shell. */
function parseStage(text: string): Stage {
  const wanted = text.trim().toLowerCase().replace(/[_-]+/g, ' ');
  const stage = STAGES.find((each) => each.toLowerCase() === wanted);
  if (stage !== undefined) return stage;
  throw new LegionError('usage.invalid', `Unknown stage ${quoteText(text)}. Valid: ${STAGES.join(', ')}.`);
}

function renderAdvancePage({ issue, dryRun, decisions, commands, status, says }: AdvanceAnswer): string {
  const steps = decisions.map(({ action, mode, says: reason }) => `${action} (${mode}): ${reason}`);
  return [
    renderHeading(says),
    renderFields([['status', status]]),
    renderSection('Decided', renderBullets(steps)),
    renderSection(dryRun ? 'Would be done' : 'Done or started', renderBullets(commands)),
    commands.length === 0 ? `\nRun \`legion explain ${issue}\` to see what it is waiting for.\n` : '',
  ].join('');
}
