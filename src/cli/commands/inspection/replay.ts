/** `legion replay`: replays a journal and shows the state at any moment. */
import { Command } from '@commander-js/extra-typings';
import { LegionError } from '../../../core/model/fault.ts';
import { toLifecycleState } from '../../../core/model/lifecycle.ts';
import type { LegionState } from '../../../core/state/state.ts';
import { loadStateAt } from '../../../daemon/context/journal-ledger.ts';
import type { JournalMoment } from '../../../daemon/context/ledger.ts';
import { openSqliteJournal } from '../../../journal/sqlite/sqlite-journal.ts';
import { printJson, printPage } from '../../present/page.ts';
import { renderTable } from '../../present/table.ts';
import { getTerminalColumns } from '../../present/terminal.ts';
import { addJsonOption, defineCommand, renderExamples } from '../../program/define-command.ts';

export const replay = defineCommand(
  () =>
    addJsonOption(
      new Command()
        .description(
          'Rebuild the state from a journal and show it as it was at a given moment. Nothing is changed.',
        )
        .argument('<JOURNAL>', 'Path of the journal file')
        .option('--at <MOMENT>', 'Version (1200) or time (2026-11-15T08:00:00Z) to show (default: the end)')
        .addHelpText(
          'after',
          renderExamples('legion replay journal.db', 'legion replay journal.db --at 1200'),
        ),
    ),
  async ({ positionals: [path], options }, context) => {
    const moment = readMoment(options.at);
    const journal = await openSqliteJournal(path, { readOnly: true });
    try {
      const state = await loadStateAt(journal, moment);
      const last = await journal.version();
      if (options.json === true) printJson(context, toReplayData(state, last));
      else printPage(context, renderReplayPage(state, last, getTerminalColumns(context.stdout)));
      return undefined;
    } finally {
      await journal.close();
    }
  },
);

function readMoment(text: string | undefined): JournalMoment {
  if (text === undefined) return {};
  if (/^\d{1,15}$/.test(text)) return { version: Number(text) };
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return { time };
  throw new LegionError('usage.invalid', `--at takes a version or a time, got ${JSON.stringify(text)}.`);
}

function toReplayData(state: LegionState, last: number) {
  return {
    version: state.version,
    lastVersion: last,
    epoch: state.epoch,
    leader: state.leader ?? null,
    ignored: state.ignored,
    openIntents: [...state.intents].map(([intent, { command }]) => ({ intent, ...command })),
    issues: [...state.issues.values()],
    workers: [...state.workers].map(([id, worker]) => ({
      id,
      state: toLifecycleState(worker.facts),
      ...worker,
    })),
  };
}

function renderReplayPage(state: LegionState, last: number, columns: number): string {
  const leader = state.leader === undefined ? 'no leader' : `leader ${state.leader} (epoch ${state.epoch})`;
  const issues = [...state.issues.values()].map(({ issue, decision, rounds, openIntents }) => [
    issue,
    decision?.action ?? '–',
    decision?.reason ?? '–',
    Object.entries(rounds)
      .map(([reason, count]) => `${reason} ${count}`)
      .join(', '),
    String(openIntents),
  ]);
  const workers = [...state.workers].map(([id, { attempt, facts, failedLives }]) => [
    id,
    String(attempt),
    toLifecycleState(facts),
    String(failedLives.length),
  ]);
  return [
    `version ${state.version} of ${last}, ${leader}\n\n`,
    renderTable(['ISSUE', 'LAST DECISION', 'REASON', 'ROUNDS', 'OPEN INTENTS'], issues, columns),
    '\n',
    renderTable(['WORKER', 'ATTEMPT', 'STATE', 'FAILED ATTEMPTS'], workers, columns),
  ].join('');
}
