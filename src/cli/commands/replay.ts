/** `legion replay`: folds a journal again and shows any moment of it. */
import { type Moment, swarmAt } from '../../daemon/load-swarm.ts';
import { LegionError } from '../../domain/fault.ts';
import { lifecycleOf } from '../../domain/lifecycle.ts';
import { openSqliteJournal } from '../../journal/sqlite/sqlite-journal.ts';
import type { Swarm } from '../../swarm/state.ts';
import { formed } from '../formed.ts';
import { table } from '../present/table.ts';

export const replay = formed(
  {
    name: 'replay',
    says: 'Reads a journal, changes nothing, and shows what the legion knew.',
    takes: { journal: 'one' },
    options: {
      at: {
        value: 'MOMENT',
        says: 'a version (such as 1200) or a time (such as 2026-11-15T08:00:00Z); default: now',
      },
      json: { says: 'one JSON object instead of tables' },
    },
  },
  async ({ journal: path, options }, { stdout }) => {
    const moment = readMoment(options.at);
    const journal = await openSqliteJournal(path, { readOnly: true });
    try {
      const swarm = await swarmAt(journal, moment);
      const last = await journal.version();
      stdout.write(options.json ? `${JSON.stringify(picture(swarm, last))}\n` : page(swarm, last));
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

function page(swarm: Swarm, last: number): string {
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
    table(['ISSUE', 'LAST DECISION', 'REASON', 'ROUNDS', 'OPEN INTENTS'], issues),
    '\n',
    table(['WORKER', 'ATTEMPT', 'STATE', 'FAILED LIVES'], workers),
  ].join('');
}
