/** What a whole life of an issue costs beside the bare git and process work it contains. */

import { type Bench, withDeadline } from '../bench.ts';
import { type Measurement, median } from '../measurement.ts';
import { bareLife } from '../support/bare-issue.ts';
import { waitForStatus } from '../support/follow-events.ts';
import { install } from '../support/installed.ts';
import { benchLegion, FEATURE, waitForCleanWorkspaces } from '../support/legion.ts';
import { type Ask, approveCommands, asking } from '../support/operator.ts';

/** Rounds alternate, so that a machine that slows down for a while slows both; the first is a rehearsal. */
const ROUNDS = 6;
const SHORT_ROUNDS = 2;
const RATIO_GOAL = 1.2;
/** An issue takes about two seconds from Triage to Done; on a busy machine ten. */
const ISSUE_DEADLINE_MS = 120_000;

export const issueBench: Bench = {
  name: 'issue',
  description: 'one issue from Triage to Done, compared with the bare git and process work in it',
  deadlineMs: 600_000,
  async run({ short, signal, progress }) {
    const rounds = short ? SHORT_ROUNDS : ROUNDS;
    const legion = benchLegion({ commands: true });
    try {
      progress('building');
      const { launcher, up } = await install(legion, signal);
      const ask = asking(await up());
      await approveCommands(ask);
      const ours: number[] = [];
      const bare: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        progress(round === 0 ? 'rehearsal' : `round ${round} of ${rounds - 1}`);
        const bareMs = await withDeadline((either) => bareLife(legion, launcher, `BARE-${round}`, either), {
          what: 'the bare work of one issue',
          deadlineMs: ISSUE_DEADLINE_MS,
          signal,
        });
        const ourMs = await runIssue(ask, round, signal);
        await waitForCleanWorkspaces(legion, signal);
        if (round === 0) continue;
        bare.push(bareMs);
        ours.push(ourMs);
      }
      return figures(median(ours), median(bare));
    } finally {
      await legion.dispose();
    }
  },
};

/** Resolves to the milliseconds from creating the issue until the board shows it as Done. */
async function runIssue(ask: Ask, round: number, signal: AbortSignal): Promise<number> {
  // Listens instead of polling: answering a poll is work for the daemon as well.
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

function figures(ours: number, bare: number): Measurement[] {
  const ratio = Math.round((ours / bare) * 100) / 100;
  return [
    {
      name: 'a whole life: bare git and process work',
      value: Math.round(bare),
      unit: 'ms',
      goal: 'none',
      met: true,
    },
    { name: 'a whole life, Triage to Done', value: Math.round(ours), unit: 'ms', goal: 'none', met: true },
    {
      name: 'a whole life against its bare work',
      value: ratio,
      unit: '×',
      goal: `≤ ${RATIO_GOAL}`,
      met: ratio <= RATIO_GOAL,
    },
  ];
}
