/**
 * Measures how long one issue takes from Triage to Done, compared with its git and process work
 * alone.
 */

import { type Bench, withDeadline } from '../bench.ts';
import { computeMedian, type Measurement } from '../measurement.ts';
import { runBareIssue } from '../support/bare-issue.ts';
import { waitForStatus } from '../support/follow-events.ts';
import { install } from '../support/installed.ts';
import { createBenchLegion, FEATURE, waitForCleanWorkspaces } from '../support/legion.ts';
import { approveCommands, createOperatorRequest, type OperatorRequest } from '../support/operator.ts';

/**
 * Rounds alternate between Legion and the bare work, so that a temporary slowdown of the machine
 * affects both. The first round is a warm-up.
 */
const ROUNDS = 6;
const SHORT_ROUNDS = 2;
const RATIO_GOAL = 1.2;
/** An issue takes about two seconds from Triage to Done, or ten on a busy machine. */
const ISSUE_DEADLINE_MS = 120_000;

export const issueBench: Bench = {
  name: 'issue',
  description: 'one issue from Triage to Done, compared with the bare git and process work in it',
  deadlineMs: 600_000,
  async run({ short, signal, progress }) {
    const rounds = short ? SHORT_ROUNDS : ROUNDS;
    const legion = createBenchLegion({ commands: true });
    try {
      progress('building');
      const { launcher, up } = await install(legion, signal);
      const ask = createOperatorRequest(await up());
      await approveCommands(ask);
      const ours: number[] = [];
      const bare: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        progress(round === 0 ? 'rehearsal' : `round ${round} of ${rounds - 1}`);
        const bareMs = await withDeadline(
          (either) => runBareIssue(legion, launcher, `BARE-${round}`, either),
          {
            what: 'the bare work of one issue',
            deadlineMs: ISSUE_DEADLINE_MS,
            signal,
          },
        );
        const ourMs = await runIssue(ask, round, signal);
        await waitForCleanWorkspaces(legion, signal);
        if (round === 0) continue;
        bare.push(bareMs);
        ours.push(ourMs);
      }
      return toMeasurements(computeMedian(ours), computeMedian(bare));
    } finally {
      await legion.dispose();
    }
  },
};

/** Resolves to the milliseconds from creating the issue until the board shows it as Done. */
async function runIssue(ask: OperatorRequest, round: number, signal: AbortSignal): Promise<number> {
  // Follows the event stream, because answering polls would be extra work for the daemon.
  const { body: events } = await ask('GET', '/events');
  if (events === null) throw new Error('The daemon sent no event stream.');
  const begun = performance.now();
  const created = await ask('POST', '/issues', { ...FEATURE, title: `Greet person ${round}` });
  const { id: issue } = (await created.json()) as { id: string };
  await withDeadline((either) => waitForStatus(events, issue, 'Done', either), {
    what: `${issue} to be Done`,
    deadlineMs: ISSUE_DEADLINE_MS,
    signal,
  });
  return performance.now() - begun;
}

function toMeasurements(ours: number, bare: number): Measurement[] {
  const ratio = Math.round((ours / bare) * 100) / 100;
  return [
    {
      name: 'one issue: bare git and process work',
      value: Math.round(bare),
      unit: 'ms',
      goal: 'none',
      met: true,
    },
    { name: 'one issue, Triage to Done', value: Math.round(ours), unit: 'ms', goal: 'none', met: true },
    {
      name: 'one issue compared with its bare work',
      value: ratio,
      unit: '×',
      goal: `≤ ${RATIO_GOAL}`,
      met: ratio <= RATIO_GOAL,
    },
  ];
}
