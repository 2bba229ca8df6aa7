/** `legion up`: starts the daemon of a legion, in the background unless told otherwise. */
import { Command } from '@commander-js/extra-typings';
import { validate as isUuid } from 'uuid';
import { modesWithoutAgent } from '../../config/legion/mode-agents.ts';
import { CATALOGUE, LegionError, shown } from '../../core/model/fault.ts';
import { span } from '../../domain/format.ts';
import type { BaselineRequest } from '../../protocol/baseline.ts';
import { adminEndpoints } from '../../protocol/endpoints/admin.ts';
import { confirmed, isInteractive } from '../ask-person.ts';
import type { CommandContext } from '../command.ts';
import { readDaemonFile } from '../daemon-address.ts';
import { type DaemonClient, daemonClient } from '../daemon-client.ts';
import { readProjectName } from '../github/project-name.ts';
import { healthOf } from '../health-of.ts';
import { findPlace, type Place } from '../legion-location.ts';
import { operatorName } from '../operator.ts';
import { withProgress } from '../present/progress.ts';
import { safeText } from '../present/safe.ts';
import { defineCommand } from '../program/define-command.ts';
import { addJsonOption, addPlaceOptions, examples } from '../program/options.ts';
import { approveShown, askedFor, commandsPage, unapprovedCommands } from '../repository-commands.ts';
import { showScriptedBanner } from '../scripted-banner.ts';
import { baselineActions, changeBaselines, readFitness, showFitness } from './daemon/up/preflight.ts';
import { startInBackground } from './up/background.ts';
import { identitiesOf } from './up/identities.ts';
import { refuseTakenPort } from './up/refuse-taken-port.ts';
import { settleConsent } from './up/settle-consent.ts';
import { reportWhenInterrupted, stillRunning } from './up/stop-interrupted.ts';

export const up = defineCommand(
  () =>
    addPlaceOptions(
      addJsonOption(
        new Command()
          .description(
            'Start the daemon of this folder’s legion and return when it is ready. With PROJECT, no legion.yaml is needed: name a GitHub project, in a clone of its repository, or a Linear team by its UUID (`legion teams --linear` lists them).',
          )
          .argument('[PROJECT]', 'OWNER/NUMBER of a GitHub project, or UUID of a Linear team')
          .option('-b, --backend <local|github|linear>', 'Where the issues are (default: as in legion.yaml)')
          .option('--project <OWNER/NUMBER|UUID>', 'The same as PROJECT')
          .option('--foreground', 'Run the daemon in this terminal until SIGINT, SIGTERM or `legion down`')
          .option('--agent <AGENT>', 'Who works if legion.yaml does not say: claude-code, opencode or codex')
          .option('--yes', 'Agree to what real workers may do and spend, without being asked')
          .option(
            '--budget-issue <USD>',
            'Dollars that all workers of an issue may spend together; none for no limit',
          )
          .option('--budget-day <USD>', 'Dollars that all workers may spend in a day; none for no limit')
          .option('--port <PORT>', 'Port on 127.0.0.1; 0 for any free one')
          .option('--ignore-baseline', 'Start workers although the baseline is red, also in a running daemon')
          .option('--rerun-baseline', 'Run the baseline again, also in a running daemon')
          .addHelpText(
            'after',
            examples('legion up', 'legion up --foreground', 'legion up acme/3 -b github'),
          ),
      ),
    ),
  async ({ positionals: [named], options }, context) => {
    const { foreground, json = false, project, yes = false, ...flags } = options;
    const found = findPlace(context, {
      ...flags,
      legion: oneOf(projectIn('PROJECT', named), projectIn('--project', project), flags.legion),
    });
    const baseline = baselineActions(options);
    if (baseline.length > 0 && (await healthOf(found.state, context.signal)) !== undefined)
      return changeRunning(found, baseline, json, context);
    // A daemon without a terminal is held by its own check; whoever starts one is asked here.
    const asks = foreground !== true || yes || isInteractive(context);
    const { place, isNew } = asks
      ? await settleConsent(found, { yes, json }, context)
      : { place: found, isNew: false };
    if (isNew && (await healthOf(place.state, context.signal)) !== undefined) {
      context.stdout.write(`${place.resolved.config.legion} runs already; real workers may start now.\n`);
      return undefined;
    }
    await refuseSecond(place, context);
    if (!json) showScriptedBanner(place, context);
    if (foreground === true)
      return (await import('./up/foreground.ts')).runInForeground(place, json, context, baseline);
    await refuseTakenPort(place, context);

    const { legion } = place.resolved.config;
    const { url, pid } = await withProgress(context, `starting ${legion}`, () =>
      startInBackground(place, context).catch(async (error: unknown) => {
        // Another that was started at the same time may have been the first: then that is what there is to say.
        await refuseSecond(place, context);
        throw error;
      }),
    );
    await reportWhenInterrupted({ legion, pid }, context, () =>
      describeStart(place, { url, pid, baseline }, json, context),
    );
    return undefined;
  },
);

/** Only a project or a team is named without an option: any other word would begin a legion of that name by a slip. */
function projectIn(option: string, text: string | undefined): string | undefined {
  if (text === undefined || isUuid(text)) return text?.toLowerCase();
  const project = readProjectName(text);
  if (project !== undefined) return `${project.owner}/${project.number}`;
  const takes = 'takes OWNER/NUMBER, such as acme/3, the project’s address, or the UUID of a team of Linear';
  throw new LegionError('usage.invalid', `${option} ${takes}, got ${shown(text)}`);
}

/** A legion may be named in three ways; two different ones are a slip. */
function oneOf(...named: readonly (string | undefined)[]): string | undefined {
  const [first, ...others] = [...new Set(named.filter((name) => name !== undefined))];
  if (others.length > 0)
    throw new LegionError(
      'usage.invalid',
      `two legions are named, ${shown(first ?? '')} and ${shown(others[0] ?? '')}`,
    );
  return first;
}

async function refuseSecond(place: Place, { signal }: CommandContext): Promise<void> {
  const health = await healthOf(place.state, signal);
  if (health === undefined) return;
  const where = readDaemonFile(place.state)?.url ?? health.host;
  const since = span(Date.now() - health.startedAt);
  const says = `${health.legion} is led by pid ${health.pid} at ${where}, for ${since}`;
  throw new LegionError('daemon.running', says);
}

/** With a daemon that runs, only the baseline can be changed. */
async function changeRunning(
  place: Place,
  actions: readonly BaselineRequest['action'][],
  json: boolean,
  context: CommandContext,
): Promise<undefined> {
  const daemon = daemonClient(place.state, context.signal);
  const said = await changeBaselines(daemon, actions);
  if (json) context.stdout.write(`${JSON.stringify({ legion: place.resolved.config.legion, said })}\n`);
  else {
    for (const line of said) context.stdout.write(`${safeText(line)}\n`);
    await showFitness(daemon, context);
  }
  return undefined;
}

interface StartedDaemon {
  readonly url: string;
  readonly pid: number;
  readonly baseline: readonly BaselineRequest['action'][];
}

async function describeStart(
  place: Place,
  { url, pid, baseline }: StartedDaemon,
  json: boolean,
  context: CommandContext,
): Promise<void> {
  const { legion } = place.resolved.config;
  const daemon = daemonClient(place.state, context.signal);
  const pending = await unapprovedCommands(daemon);
  const identities = await identitiesOf(place, context);
  const said = await changeBaselines(daemon, baseline);
  if (json) {
    const { troubles, baselines, notices } = await readFitness(daemon, context);
    const fitness = { troubles, baselines, notices };
    context.stdout.write(
      `${JSON.stringify({ legion, url, pid, unapprovedCommands: pending, ...fitness, ...(identities && { identities }) })}\n`,
    );
    return;
  }
  context.stdout.write(`${legion} runs at ${url} (pid ${pid}). \`legion watch\` shows what it does.\n`);
  context.stdout.write('Dashboard: legion open\n');
  await reportHold(daemon, context);
  if (modesWithoutAgent(place.resolved.config).length > 0)
    context.stdout.write(`No worker starts yet: no agent is chosen. ${CATALOGUE['agent.not_chosen'].next}\n`);
  for (const line of identities ?? []) context.stdout.write(`${safeText(line)}\n`);
  for (const line of said) context.stdout.write(`${safeText(line)}\n`);
  if (pending.length > 0) await offerApproval(daemon, pending, { legion, pid }, context);
  await showFitness(daemon, context);
}

/** A hold outlives a restart, so whoever starts the daemon may not know of it. */
async function reportHold(daemon: DaemonClient, { stdout }: CommandContext): Promise<void> {
  const { legion, starts } = await daemon.call(adminEndpoints.health);
  if (starts.kind !== 'halt' && starts.kind !== 'pause') return;
  const why = starts.why === undefined ? '' : ` (${safeText(starts.why)})`;
  const state = starts.kind === 'halt' ? 'halted' : 'paused';
  stdout.write(`${legion} is ${state}${why}: no worker starts until \`legion resume\`.\n`);
}

async function offerApproval(
  daemon: DaemonClient,
  pending: Awaited<ReturnType<typeof unapprovedCommands>>,
  started: { readonly legion: string; readonly pid: number },
  context: CommandContext,
): Promise<void> {
  const { stdout } = context;
  stdout.write(
    `\nThese ${askedFor(pending)} of the repository count only after you have approved them:\n\n${commandsPage(pending)}\n`,
  );
  const answer = isInteractive(context) ? await confirmed(context, 'Approve these?', false) : false;
  if (answer !== true) {
    stdout.write('Approve them with: legion approve --commands\n');
    context.signal.throwIfAborted();
    // The terminal hands Ctrl-C to the question as a key, not as a signal.
    if (answer === undefined) stdout.write(`${stillRunning(started)}\n`);
    return;
  }
  for (const says of await approveShown(daemon, operatorName(), pending)) stdout.write(`${safeText(says)}\n`);
}
