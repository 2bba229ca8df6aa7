/** `legion advance`: runs the next due step of an issue. */
import { Command } from '@commander-js/extra-typings';
import { LegionError } from '../../../core/model/fault.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import { getPhaseMode, PHASES, type Phase } from '../../../core/model/mode.ts';
import { stateEndpoints } from '../../../protocol/endpoints/monitoring.ts';
import type { AdvanceAnswer } from '../../../protocol/operator.ts';
import type { DaemonClient } from '../../daemon-client.ts';
import { parseIssueId, parseStatus } from '../../parse-names.ts';
import { renderBullets, renderFields, renderHeading, renderSection } from '../../present/page.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { ISSUE_HELP, renderExamples } from '../../program/define-command.ts';

/** Exit code that tells scripts that no step was due. */
const EXIT_NOT_ADVANCED = 1;

export const advance = daemonCommand(
  () =>
    new Command()
      .description('Run the next due step of an issue. Exits with 1 if nothing was done.')
      .argument('<ISSUE>', ISSUE_HELP)
      .option(
        '--stage <STAGE>',
        'Refuse unless the step leads to this status or belongs to this phase, such as testing or retro',
      )
      .option('--dry-run', 'Show what would be done without doing it')
      .addHelpText(
        'after',
        renderExamples('legion advance SHOP-1 --dry-run', 'legion advance SHOP-1 --stage testing'),
      ),
  async ({ positionals: [issue], options }, { daemon }) => {
    const { stage, dryRun = false } = options;
    const id = parseIssueId(issue);
    const phase = PHASES.find((each) => each === stage?.trim().toLowerCase());
    const status = stage === undefined || phase !== undefined ? undefined : parseStatus(stage);
    if (phase !== undefined) await refuseOtherPhase(daemon, id, phase);
    const body = { issue: id, dryRun, stage: status };
    const answer = await daemon.call(stateEndpoints.advance, { body });
    const isIdle = !dryRun && !answer.advanced;
    return { data: answer, text: renderAdvancePage(answer), exit: isIdle ? EXIT_NOT_ADVANCED : 0 };
  },
);

/**
 * Refuses if the next step does not belong to the phase. The check is made here for two reasons:
 * the daemon accepts only statuses as stages, and a phase's step may start its worker without
 * moving the issue.
 */
async function refuseOtherPhase(daemon: DaemonClient, issue: IssueId, phase: Phase): Promise<void> {
  const body = { issue, dryRun: true };
  const { decisions } = await daemon.call(stateEndpoints.advance, { body });
  if (decisions.some((decision) => isStepOfPhase(decision, phase))) return;
  const due = decisions.map(({ action, says }) => `${action}: ${says}`).join('; ') || 'nothing';
  throw new LegionError('advance.not_next', `${issue} has no ${phase} step due. Due now: ${due}`);
}

/**
 * The implement worker also does the retro, so only the action's name distinguishes those two
 * phases.
 */
function isStepOfPhase({ action, mode }: AdvanceAnswer['decisions'][number], phase: Phase): boolean {
  if (action === 'skip' || mode !== getPhaseMode(phase)) return false;
  return mode !== 'implement' || /retro/.test(action) === (phase === 'retro');
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
