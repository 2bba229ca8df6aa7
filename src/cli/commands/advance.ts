/** `legion advance`: does the step that is due for an issue. */
import type { Phase } from '../../domain/mode.ts';
import { PHASES } from '../../domain/mode.ts';
import type { Status } from '../../domain/status.ts';
import { type AdvanceAnswer, advanceAnswer } from '../../protocol/operator.ts';
import { asking } from '../asking.ts';
import { issueNamed, statusNamed } from '../named.ts';
import { bullets, fields, heading, section } from '../present/page.ts';

/** The column in which a phase happens; a merge happens in the last one before Done. */
const COLUMNS: Readonly<Record<Phase, Status>> = {
  architect: 'Backlog',
  plan: 'Todo',
  implement: 'In Progress',
  test: 'Testing',
  review: 'Needs Review',
  retro: 'Retro',
  merge: 'Retro',
};

export const advance = asking(
  {
    name: 'advance',
    says: 'Does the step that is due for an issue, and no other.',
    takes: { issue: 'one' },
    options: {
      stage: { value: 'STAGE', says: 'refuse, unless the issue goes to this status or phase' },
      'dry-run': { says: 'say what would be done and do nothing' },
    },
  },
  async ({ issue, options }, { daemon }) => {
    const { stage, 'dry-run': dryRun } = options;
    const body = {
      issue: issueNamed(issue),
      dryRun,
      ...(stage !== undefined && { stage: stageNamed(stage) }),
    };
    const answer = await daemon.request('POST', '/state/advance', advanceAnswer, { body });
    return { data: answer, text: page(answer) };
  },
);

function stageNamed(text: string): Status {
  const phase = PHASES.find((each) => each === text.trim().toLowerCase());
  return phase === undefined ? statusNamed(text) : COLUMNS[phase];
}

function page({ issue, dryRun, decisions, commands, status }: AdvanceAnswer): string {
  const steps = decisions.map(({ action, mode, says }) => `${action} (${mode}): ${says}`);
  return [
    heading(dryRun ? `${issue} would be advanced` : `${issue} was advanced`),
    fields([['status', status]]),
    section('Decided', bullets(steps)),
    section(dryRun ? 'Would be done' : 'Done or begun', bullets(commands)),
    commands.length === 0 ? '\nNothing is to be done.\n' : '',
  ].join('');
}
