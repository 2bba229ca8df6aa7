/** `legion demo`: a sample repository, six issues, real workers, and a summary of what became of them. */
import { rmSync } from 'node:fs';
import { layOut } from '../../demo/lay-out.ts';
import { LegionError } from '../../domain/fault.ts';
import { wholeNumber } from '../arguments.ts';
import { formed } from '../formed.ts';
import { isAbort } from '../interruption.ts';
import { launcher } from '../launcher.ts';
import { withProgress } from '../present/progress.ts';
import { JSON_OPTION } from '../program/daemon-command.ts';
import { AGENT_OPTIONS, agentGiven } from './demo/agent-options.ts';
import { chooseShow } from './demo/choose-show.ts';
import { claimFolder } from './demo/folder.ts';
import { openDemoBoard, SERVICE_OPTIONS, servicesGiven } from './demo/open-board.ts';
import { refuseUnready } from './demo/refuse-unready.ts';
import { runDemo } from './demo/run.ts';
import { summaryPage } from './demo/summary-page.ts';
import { verdictOn } from './demo/verdict.ts';

/** Twice what it may take on a small, busy machine: what takes longer hangs, and then the reasons are worth more. */
const WITHIN_S = 180;
/** A real agent thinks for minutes where the scripted one plays for seconds. */
const WITHIN_REAL_S = 2_700;
/** An hour: longer than anybody watches. */
const WITHIN_MOST_S = 3_600;

export const demo = formed(
  {
    name: 'demo',
    says: [
      'Makes a small sample repository with six issues and runs them all to Done with scripted agents: real processes,',
      'real commits, real tests. It needs no account and writes into one folder only, unless it is told of a GitHub or a',
      'Linear. It also plays the person: it clarifies an issue, answers a question and approves a merge. The folder stays,',
      'so that you can look at the result.',
    ].join('\n'),
    options: {
      folder: {
        value: 'DIR',
        says: 'a new or empty folder for everything; default: one for temporary files',
      },
      keep: {
        says: 'leave the daemon running when all is done, to look at with `legion explain` and the like',
      },
      open: { says: 'show it on the dashboard, in your browser; leaves the daemon running, as --keep does' },
      rm: { says: 'remove the folder when all went well' },
      ...AGENT_OPTIONS,
      ...SERVICE_OPTIONS,
      within: {
        value: 'SECONDS',
        says: `give up after so long; default: ${WITHIN_S}, with a real agent ${WITHIN_REAL_S}`,
      },
      ...JSON_OPTION,
    },
  },
  async ({ options }, context) => {
    const { open, rm, json } = options;
    // A page whose daemon has ended shows nothing any more.
    const keep = options.keep || open;
    if (keep && rm) {
      throw new LegionError('usage.invalid', `--${open ? 'open' : 'keep'} and --rm exclude each other`);
    }
    const services = servicesGiven(options, context);
    const agent = agentGiven(options, services.linear !== undefined);
    const usual = agent === undefined ? WITHIN_S : WITHIN_REAL_S;
    const withinMs = 1_000 * (options.within === undefined ? usual : secondsGiven(options.within));
    if (agent !== undefined) await refuseUnready(agent, context);
    const folder = claimFolder(options.folder, context.cwd);
    const board = await openDemoBoard(services, folder, context);
    const { stories, surroundings } = board;
    const show = chooseShow(context, json, stories);
    const given = context.env;
    const run = async () => {
      const place = await layOut({ folder, launcher: launcher(), given, stories, agent, surroundings });
      return runDemo(place, board, { keep, open, withinMs }, show, context);
    };
    const result = await (json ? withProgress(context, 'the demo runs', run) : run())
      .catch((error: unknown) => {
        if (!json && isAbort(error, context.signal))
          context.stderr.write(`legion: interrupted; nothing of the demo runs any more, ${folder} stays\n`);
        throw error;
      })
      .finally(() => board.close());
    const { summary } = result;
    const { columns } = context.stdout;
    context.stdout.write(
      json ? `${JSON.stringify(summary)}\n` : summaryPage(summary, rm && summary.ok, columns),
    );
    if (rm && summary.ok) rmSync(folder, { recursive: true, force: true });
    return verdictOn(result, withinMs);
  },
);

function secondsGiven(text: string): number {
  const seconds = wholeNumber('--within', text, 1);
  if (seconds <= WITHIN_MOST_S) return seconds;
  throw new LegionError('usage.invalid', `--within takes at most ${WITHIN_MOST_S} seconds, got ${seconds}`);
}
