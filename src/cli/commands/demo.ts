/** `legion demo`: a sample repository, six issues, real workers, and a summary of what became of them. */
import { rmSync } from 'node:fs';
import { layOut } from '../../demo/lay-out.ts';
import { LegionError } from '../../domain/fault.ts';
import { wholeNumber } from '../arguments.ts';
import { JSON_OPTION } from '../asking.ts';
import { formed } from '../formed.ts';
import { isAbort } from '../interruption.ts';
import { launcher } from '../launcher.ts';
import { withProgress } from '../present/progress.ts';
import { chooseShow } from './demo/choose-show.ts';
import { claimFolder } from './demo/folder.ts';
import { runDemo } from './demo/run.ts';
import { summaryPage } from './demo/summary-page.ts';
import { verdictOn } from './demo/verdict.ts';

/** Twice what it may take on a small, busy machine: what takes longer hangs, and then the reasons are worth more. */
const WITHIN_S = 180;
/** An hour: longer than anybody watches. */
const WITHIN_MOST_S = 3_600;

export const demo = formed(
  {
    name: 'demo',
    says: [
      'Makes a small sample repository with six issues and runs them all to Done with scripted agents: real processes,',
      'real commits, real tests. It needs no account and writes into one folder only. It also plays the person: it',
      'clarifies an issue, answers a question and approves a merge. The folder stays, so that you can look at the result.',
    ].join('\n'),
    options: {
      folder: {
        value: 'DIR',
        says: 'a new or empty folder for everything; default: one for temporary files',
      },
      keep: {
        says: 'leave the daemon running when all is done, to look at with `legion explain` and the like',
      },
      rm: { says: 'remove the folder when all went well' },
      within: { value: 'SECONDS', says: `give up after so long; default: ${WITHIN_S}` },
      ...JSON_OPTION,
    },
  },
  async ({ options }, context) => {
    const { keep, rm, json } = options;
    if (keep && rm) throw new LegionError('usage.invalid', '--keep and --rm exclude each other');
    const withinMs = 1_000 * (options.within === undefined ? WITHIN_S : secondsGiven(options.within));
    const folder = claimFolder(options.folder, context.cwd);
    const show = chooseShow(context, json);
    const place = await layOut(folder, launcher(), context.env);
    const run = () => runDemo(place, { keep, withinMs }, show, context);
    const result = await (json ? withProgress(context, 'the demo runs', run) : run()).catch(
      (error: unknown) => {
        if (!json && isAbort(error, context.signal))
          context.stderr.write(`legion: interrupted; nothing of the demo runs any more, ${folder} stays\n`);
        throw error;
      },
    );
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
