/** `legion up`: starts the daemon of a legion, by default in the background. */

import { Command } from '@commander-js/extra-typings';
import { validate as isUuid } from 'uuid';
import { LegionError, quoteText } from '../../../core/model/fault.ts';
import { formatDuration } from '../../../core/model/format.ts';
import { describeTakenPort, isPortFree, LOOPBACK_ADDRESS } from '../../../http/listen.ts';
import type { BaselineRequest } from '../../../protocol/operator.ts';
import { isInteractive } from '../../ask-person.ts';
import { readDaemonFile } from '../../daemon-address.ts';
import { createDaemonClient } from '../../daemon-client.ts';
import { findDaemonHealth } from '../../explain-not-running.ts';
import { readProjectName } from '../../github/board.ts';
import { listLegions } from '../../known-legions.ts';
import { findLegionLocation, type LegionLocation, showScriptedBanner } from '../../legion-location.ts';
import { sanitizeText, withProgress } from '../../present/terminal.ts';
import {
  addJsonOption,
  addLocationOptions,
  type CommandContext,
  defineCommand,
  renderExamples,
} from '../../program/define-command.ts';
import { reportWhenInterrupted, startInBackground } from './up/background.ts';
import { showFitness, toBaselineActions, updateBaselines } from './up/preflight.ts';
import { reportStart } from './up/report-start.ts';
import { ensureConsent } from './up/settle-consent.ts';

const defineUpCommand = (name: 'up' | 'start') =>
  defineCommand(
    () =>
      addLocationOptions(
        addJsonOption(
          new Command()
            .description(
              'Start the daemon of this folder’s legion and return when it is ready. PROJECT replaces legion.yaml: pass a GitHub project from inside a clone of its repository, or the UUID of a Linear team (see `legion teams --linear`).',
            )
            .argument('[PROJECT]', 'OWNER/NUMBER of a GitHub project, or UUID of a Linear team')
            .option(
              '-b, --backend <local|github|linear>',
              'Where the issues live (default: from legion.yaml)',
            )
            .option('--project <OWNER/NUMBER|UUID>', 'Same as PROJECT')
            .option('--foreground', 'Run the daemon in this terminal until SIGINT, SIGTERM or `legion down`')
            .option(
              '--agent <AGENT>',
              'Agent to use if legion.yaml specifies none: claude-code, opencode or codex',
            )
            .option('-r, --runtime <AGENT>', 'Same as --agent')
            .option('--yes', 'Agree in advance to what real workers may do and spend')
            .option(
              '--budget-issue <USD>',
              'Maximum dollars per issue, for all its workers together; none for no limit',
            )
            .option(
              '--budget-day <USD>',
              'Maximum dollars per day, for all workers together; none for no limit',
            )
            .option('--port <PORT>', 'Port on 127.0.0.1; 0 for any free port')
            .option(
              '--ignore-baseline',
              'Start workers even if the baseline is red; also works on a running daemon',
            )
            .option('--rerun-baseline', 'Run the baseline again; also works on a running daemon')
            .addHelpText(
              'after',
              renderExamples(
                `legion ${name}`,
                `legion ${name} --foreground`,
                `legion ${name} acme/3 -b github`,
              ),
            ),
        ),
      ),
    async ({ positionals: [named], options }, context) => {
      const { foreground, json = false, project, yes = false, runtime, ...flags } = options;
      const initial = findLegionLocation(context, {
        ...flags,
        agent: pickOnlyAgent(flags.agent, runtime),
        legion: pickOnlyName(
          parseProjectArgument('PROJECT', named),
          parseProjectArgument('--project', project),
          flags.legion,
        ),
      });
      const baseline = toBaselineActions(options);
      if (baseline.length > 0 && (await findDaemonHealth(initial.state, context.signal)) !== undefined)
        return updateRunningBaseline(initial, baseline, json, context);
      // With `--foreground`, but without `--yes` and without a terminal, there is no person to ask.
      // The daemon then checks the consent itself.
      const asks = foreground !== true || yes || isInteractive(context);
      const { location, isNew } = asks
        ? await ensureConsent(initial, { yes, json }, context)
        : { location: initial, isNew: false };
      if (isNew && (await findDaemonHealth(location.state, context.signal)) !== undefined) {
        context.stdout.write(
          `${location.resolved.config.legion} is already running. Real workers may start now.\n`,
        );
        return undefined;
      }
      await refuseSecondDaemon(location, context);
      if (!json) showScriptedBanner(location, context);
      if (foreground === true) return runInForeground(location, json, context, baseline);
      await refuseTakenPort(location, context);

      const { legion } = location.resolved.config;
      const { url, pid } = await withProgress(context, `starting ${legion}`, () =>
        startInBackground(location, context).catch(async (error: unknown) => {
          // If another `legion up` started a daemon first, reports that daemon instead of this
          // failure.
          await refuseSecondDaemon(location, context);
          throw error;
        }),
      );
      await reportWhenInterrupted({ legion, pid }, context, () =>
        reportStart(location, { url, pid, baseline }, json, context),
      );
      return undefined;
    },
  );

export const up = defineUpCommand('up');
/** Another name for `up`, used in the original documents. */
export const start = defineUpCommand('start');

/**
 * Accepts only a GitHub project or the UUID of a Linear team. If any word were accepted, a mistyped
 * word would create a legion of that name.
 */
function parseProjectArgument(option: string, text: string | undefined): string | undefined {
  if (text === undefined || isUuid(text)) return text?.toLowerCase();
  const project = readProjectName(text);
  if (project !== undefined) return `${project.owner}/${project.number}`;
  const expected = 'takes OWNER/NUMBER (such as acme/3), the project’s URL, or the UUID of a Linear team';
  throw new LegionError('usage.invalid', `${option} ${expected}, got ${quoteText(text)}.`);
}

function pickOnlyAgent(agent: string | undefined, runtime: string | undefined): string | undefined {
  if (agent === undefined || runtime === undefined || agent === runtime) return agent ?? runtime;
  throw new LegionError('usage.invalid', `--agent ${agent} and --runtime ${runtime} name different agents.`);
}

/** Returns the legion's name, which three options can set. Throws if they set different names. */
function pickOnlyName(...named: readonly (string | undefined)[]): string | undefined {
  const [first, ...others] = [...new Set(named.filter((name) => name !== undefined))];
  if (others.length > 0)
    throw new LegionError(
      'usage.invalid',
      `Two different legions are specified: ${quoteText(first ?? '')} and ${quoteText(others[0] ?? '')}.`,
    );
  return first;
}

async function refuseSecondDaemon(location: LegionLocation, { signal }: CommandContext): Promise<void> {
  const health = await findDaemonHealth(location.state, signal);
  if (health === undefined) return;
  const address = readDaemonFile(location.state)?.url ?? health.host;
  const since = formatDuration(Date.now() - health.startedAt);
  const message = `A daemon for ${health.legion} is already running: pid ${health.pid} at ${address}, up for ${since}.`;
  throw new LegionError('daemon.running', message);
}

/**
 * Changes the baseline of a running daemon. This is the only setting that `up` can change while a
 * daemon is running.
 */
async function updateRunningBaseline(
  location: LegionLocation,
  actions: readonly BaselineRequest['action'][],
  json: boolean,
  context: CommandContext,
): Promise<undefined> {
  const daemon = createDaemonClient(location.state, context.signal);
  const messages = await updateBaselines(daemon, actions);
  if (json)
    context.stdout.write(`${JSON.stringify({ legion: location.resolved.config.legion, said: messages })}\n`);
  else {
    for (const line of messages) context.stdout.write(`${sanitizeText(line)}\n`);
    await showFitness(daemon, context);
  }
  return undefined;
}

/**
 * Runs the daemon in this process until it is stopped. Imports the daemon only here, because a start
 * in the background does not need it.
 */
async function runInForeground(
  location: LegionLocation,
  json: boolean,
  context: CommandContext,
  baseline: readonly BaselineRequest['action'][],
): Promise<undefined> {
  const { prepareForeground, startSuccessor } = await import('./up/foreground.ts');
  const { runDaemon } = await import('../../../daemon/main.ts');
  const { options, building } = prepareForeground(location, json, context, baseline);
  const ended = await runDaemon(options).finally(() => building.end());
  if (ended === 'restart') await startSuccessor(location, context);
  return undefined;
}

/**
 * Refuses a port that is in use, before starting a daemon that would only fail. The daemon checks
 * again when it binds the port, because another process may take it in between.
 */
async function refuseTakenPort({ resolved }: LegionLocation, context: CommandContext): Promise<void> {
  const { port } = resolved.config;
  if (port === 0 || (await isPortFree(port))) return;
  const legions = await listLegions(context);
  const other = legions.find(({ url }) => url !== undefined && new URL(url).port === String(port));
  const message =
    other?.running === true
      ? `Port ${port} on ${LOOPBACK_ADDRESS} is already in use by the legion ${other.legion} (pid ${other.pid}).`
      : describeTakenPort(port);
  throw new LegionError('http.port_taken', message);
}
