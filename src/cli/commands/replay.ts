/** `legion replay`: folds a journal again and shows any moment of it. */
import { parseArgs } from 'node:util';
import { type Moment, swarmAt } from '../../daemon/load-swarm.ts';
import { LegionError } from '../../domain/fault.ts';
import { lifecycleOf } from '../../domain/lifecycle.ts';
import { openSqliteJournal } from '../../journal/sqlite/sqlite-journal.ts';
import type { Swarm } from '../../swarm/state.ts';
import { table } from '../present/table.ts';

const HELP = `Usage: legion replay JOURNAL [--at MOMENT] [--json]

Reads a journal, changes nothing, and shows what the legion knew.

  --at MOMENT   a version (such as 1200) or a time (such as 2026-11-15T08:00:00Z); default: now
  --json        one JSON object instead of tables
`;

export const replay = { help: HELP, perform };

async function perform(args: readonly string[]): Promise<void> {
  const { path, moment, json } = readArguments(args);
  const journal = await openSqliteJournal(path, { readOnly: true });
  try {
    const swarm = await swarmAt(journal, moment);
    const last = await journal.version();
    process.stdout.write(json ? `${JSON.stringify(picture(swarm, last))}\n` : page(swarm, last));
  } finally {
    await journal.close();
  }
}

function readArguments(args: readonly string[]): { path: string; moment: Moment; json: boolean } {
  const { positionals, values } = parsed(args);
  const [path, ...more] = positionals;
  if (path === undefined) throw new LegionError('usage.invalid', 'replay needs the path of a journal');
  if (more.length > 0)
    throw new LegionError('usage.invalid', `replay takes one journal, got ${positionals.length}`);
  return { path, moment: readMoment(values.at), json: values.json ?? false };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { at: { type: 'string' }, json: { type: 'boolean' } },
    });
  } catch (error) {
    throw new LegionError('usage.invalid', error instanceof Error ? error.message : String(error));
  }
}

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
