/** `legion replay`: folds a journal again and shows any moment of it. */
import { Command } from '@commander-js/extra-typings';
import { LegionError } from '../../core/model/fault.ts';
import type { Swarm } from '../../core/state/state.ts';
import { type Moment, swarmAt } from '../../daemon/load-swarm.ts';
import { lifecycleOf } from '../../domain/lifecycle.ts';
import { openSqliteJournal } from '../../journal/sqlite/sqlite-journal.ts';
import { printJson, printPage } from '../present/print.ts';
import { table } from '../present/table.ts';
import { terminalColumns } from '../present/terminal-columns.ts';
import { defineCommand } from '../program/define-command.ts';
import { addJsonOption, examples } from '../program/options.ts';

export const replay = defineCommand(
  () =>
    addJsonOption(
      new Command()
        .description(
          'Rebuild the state from a journal and show what the legion knew at a given moment. Nothing is changed.',
        )
        .argument('<JOURNAL>', 'File of the journal')
        .option('--at <MOMENT>', 'A version (1200) or a time (2026-11-15T08:00:00Z); default: the end')
        .addHelpText('after', examples('legion replay journal.db', 'legion replay journal.db --at 1200')),
    ),
  async ({ positionals: [path], options }, context) => {
    const moment = readMoment(options.at);
    const journal = await openSqliteJournal(path, { readOnly: true });
    try {
      const swarm = await swarmAt(journal, moment);
      const last = await journal.version();
      if (options.json === true) printJson(context, picture(swarm, last));
      else printPage(context, page(swarm, last, terminalColumns(context.stdout)));
      return undefined;
    } finally {
      await journal.close();
    }
  },
);

function readMoment(text: string | undefined): Moment {
  if (text === undefined) return {};
  if (/^\d{1,15}$/.test(text)) return { version: Number(text) };
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return { time };
  throw new LegionError('usage.invalid', `--at ${JSON.stringify(text)} is neither a version nor a time`);
}

function picture(swarm: Swarm, last: number) {
  return {
    version: swarm.version,
    lastVersion: last,
    epoch: swarm.epoch,
    leader: swarm.leader ?? null,
    ignored: swarm.ignored,
    openIntents: [...swarm.intents].map(([intent, { command }]) => ({ intent, ...command })),
    issues: [...swarm.issues.values()],
    workers: [...swarm.workers].map(([id, worker]) => ({ id, state: lifecycleOf(worker.facts), ...worker })),
  };
}

function page(swarm: Swarm, last: number, columns: number): string {
  const leader = swarm.leader === undefined ? 'no leader' : `leader ${swarm.leader} (epoch ${swarm.epoch})`;
  const issues = [...swarm.issues.values()].map(({ issue, decision, rounds, openIntents }) => [
    issue,
    decision?.action ?? '–',
    decision?.reason ?? '–',
    Object.entries(rounds)
      .map(([reason, count]) => `${reason} ${count}`)
      .join(', '),
    String(openIntents),
  ]);
  const workers = [...swarm.workers].map(([id, { attempt, facts, failedLives }]) => [
    id,
    String(attempt),
    lifecycleOf(facts),
    String(failedLives.length),
  ]);
  return [
    `version ${swarm.version} of ${last}, ${leader}\n\n`,
    table(['ISSUE', 'LAST DECISION', 'REASON', 'ROUNDS', 'OPEN INTENTS'], issues, columns),
    '\n',
    table(['WORKER', 'ATTEMPT', 'STATE', 'FAILED LIVES'], workers, columns),
  ].join('');
}
