/** `legion advance`: takes the step that is due for an issue. */
import { Command } from '@commander-js/extra-typings';
import { LegionError } from '../../../core/model/fault.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import { modeOfPhase, PHASES, type Phase } from '../../../domain/mode.ts';
import { stateEndpoints } from '../../../protocol/endpoints/state.ts';
import type { AdvanceAnswer } from '../../../protocol/operator.ts';
import type { DaemonClient } from '../../daemon-client.ts';
import { parseIssueId, parseStatus } from '../../parse-names.ts';
import { bullets, fields, heading, section } from '../../present/page.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { examples, ISSUE_HELP } from '../../program/options.ts';

/** Scripts must see that nothing happened. */
const EXIT_NOT_ADVANCED = 1;

export const advance = daemonCommand(
  () =>
    new Command()
      .description('Take the step that is due for an issue. Exits with 1 if nothing was done.')
      .argument('<ISSUE>', ISSUE_HELP)
      .option('--stage <STAGE>', 'Refuse unless the step leads to this status or belongs to this phase')
      .option('--dry-run', 'Show what would be done, and do nothing')
      .addHelpText(
        'after',
        examples('legion advance SHOP-1 --dry-run', 'legion advance SHOP-1 --stage testing'),
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
    return { data: answer, text: page(answer), exit: isIdle ? EXIT_NOT_ADVANCED : 0 };
  },
);

/** The daemon knows only statuses as stages; a step of a phase may also start its worker without moving the issue. */
async function refuseOtherPhase(daemon: DaemonClient, issue: IssueId, phase: Phase): Promise<void> {
  const body = { issue, dryRun: true };
  const { decisions } = await daemon.call(stateEndpoints.advance, { body });
  if (decisions.some((decision) => belongsTo(decision, phase))) return;
  const due = decisions.map(({ action, says }) => `${action}: ${says}`).join('; ') || 'nothing';
  throw new LegionError('advance.not_next', `${issue} has no step of ${phase} now; due is ${due}`);
}

/** Retro is done by the worker that implemented: its actions say so by name. */
function belongsTo({ action, mode }: AdvanceAnswer['decisions'][number], phase: Phase): boolean {
  if (action === 'skip' || mode !== modeOfPhase(phase)) return false;
  return mode !== 'implement' || /retro/.test(action) === (phase === 'retro');
}

function page({ issue, dryRun, decisions, commands, status, says }: AdvanceAnswer): string {
  const steps = decisions.map(({ action, mode, says: reason }) => `${action} (${mode}): ${reason}`);
  return [
    heading(says),
    fields([['status', status]]),
    section('Decided', bullets(steps)),
    section(dryRun ? 'Would be done' : 'Done or started', bullets(commands)),
    commands.length === 0 ? `\nSee \`legion explain ${issue}\` for what it waits for.\n` : '',
  ].join('');
}
