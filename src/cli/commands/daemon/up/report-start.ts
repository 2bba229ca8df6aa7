/**
 * Reports a daemon that `legion up` has started: its address, its accounts and its problems. Also
 * asks for approval of the repository's commands.
 */
import { listModesWithoutAgent } from '../../../../config/legion/mode-agents.ts';
import { CATALOGUE, LegionError } from '../../../../core/model/fault.ts';
import { isGithubUsed, openGithubClient } from '../../../../daemon/composition/open-github.ts';
import { openLinearClient } from '../../../../daemon/composition/open-tracker.ts';
import { describeIdentities } from '../../../../integrations/github/client/credentials.ts';
import { systemClock } from '../../../../lib/async/system-clock.ts';
import { adminEndpoints } from '../../../../protocol/endpoints/admin.ts';
import type { BaselineRequest } from '../../../../protocol/operator.ts';
import { askConfirmation, isInteractive } from '../../../ask-person.ts';
import { createDaemonClient, type DaemonClient } from '../../../daemon-client.ts';
import type { LegionLocation } from '../../../legion-location.ts';
import { describeLinearCredential } from '../../../linear-team.ts';
import { getOperatorName } from '../../../parse-names.ts';
import { sanitizeText } from '../../../present/terminal.ts';
import type { CommandContext } from '../../../program/define-command.ts';
import {
  approveShown,
  describeRequestedItems,
  listUnapprovedCommands,
  renderCommandsPage,
} from '../../../repository-at.ts';
import { describeStillRunning } from './background.ts';
import { readFitness, showFitness, updateBaselines } from './preflight.ts';

interface StartedDaemon {
  readonly url: string;
  readonly pid: number;
  readonly baseline: readonly BaselineRequest['action'][];
}

export async function reportStart(
  location: LegionLocation,
  { url, pid, baseline }: StartedDaemon,
  json: boolean,
  context: CommandContext,
): Promise<void> {
  const { legion } = location.resolved.config;
  const daemon = createDaemonClient(location.state, context.signal);
  const pending = await listUnapprovedCommands(daemon);
  const identities = await describeLegionIdentities(location, context);
  const messages = await updateBaselines(daemon, baseline);
  if (json) {
    const { troubles, baselines, notices } = await readFitness(daemon, context);
    const fitness = { troubles, baselines, notices };
    context.stdout.write(
      `${JSON.stringify({ legion, url, pid, unapprovedCommands: pending, ...fitness, ...(identities && { identities }) })}\n`,
    );
    return;
  }
  context.stdout.write(`${legion} is running at ${url} (pid ${pid}). Run \`legion watch\` to follow it.\n`);
  context.stdout.write('Run `legion open` to open the dashboard.\n');
  await reportHold(daemon, context);
  if (listModesWithoutAgent(location.resolved.config).length > 0)
    context.stdout.write(
      `No workers can start, because no agent is chosen. ${CATALOGUE['agent.not_chosen'].next}\n`,
    );
  for (const line of identities ?? []) context.stdout.write(`${sanitizeText(line)}\n`);
  for (const line of messages) context.stdout.write(`${sanitizeText(line)}\n`);
  if (pending.length > 0) await askApproval(daemon, pending, { legion, pid }, context);
  await showFitness(daemon, context);
}

/**
 * If the legion is on hold, reports that. A hold survives a restart, so the person who starts the
 * daemon may not know about it.
 */
async function reportHold(daemon: DaemonClient, { stdout }: CommandContext): Promise<void> {
  const { legion, starts } = await daemon.call(adminEndpoints.health);
  if (starts.kind !== 'halt' && starts.kind !== 'pause') return;
  const why = starts.why === undefined ? '' : ` (${sanitizeText(starts.why)})`;
  const state = starts.kind === 'halt' ? 'halted' : 'paused';
  stdout.write(`${legion} is ${state}${why}. No workers start until you run \`legion resume\`.\n`);
}

async function askApproval(
  daemon: DaemonClient,
  pending: Awaited<ReturnType<typeof listUnapprovedCommands>>,
  started: { readonly legion: string; readonly pid: number },
  context: CommandContext,
): Promise<void> {
  const { stdout } = context;
  stdout.write(
    `\nLegion uses these ${describeRequestedItems(pending)} of the repository only after you approve them:\n\n${renderCommandsPage(pending)}\n`,
  );
  const answer = isInteractive(context) ? await askConfirmation(context, 'Approve these?', false) : false;
  if (answer !== true) {
    stdout.write('Run `legion approve --commands` to approve them.\n');
    context.signal.throwIfAborted();
    // During a question, the terminal delivers Ctrl-C as a key instead of a signal.
    if (answer === undefined) stdout.write(`${describeStillRunning(started)}\n`);
    return;
  }
  for (const message of await approveShown(daemon, getOperatorName(), pending))
    stdout.write(`${sanitizeText(message)}\n`);
}

/**
 * Describes the legion's accounts on GitHub and in Linear, with one request per account. Returns
 * undefined if the legion uses neither. If a service does not answer, its line says so. The command
 * does not fail, because the daemon is already running.
 */
async function describeLegionIdentities(
  location: LegionLocation,
  context: CommandContext,
): Promise<readonly string[] | undefined> {
  const { config } = location.resolved;
  const lines = [
    ...(config.backend === 'linear' ? [await describeLinearIdentity(location, context)] : []),
    ...(isGithubUsed(config) ? await describeGithubIdentities(location, context) : []),
  ];
  return lines.length === 0 ? undefined : lines;
}

async function describeGithubIdentities(
  { resolved }: LegionLocation,
  { env }: CommandContext,
): Promise<readonly string[]> {
  const client = await openGithubClient(resolved.config, env, systemClock);
  try {
    return describeIdentities(await client.credentials.describeIdentity());
  } finally {
    await client.close();
  }
}

async function describeLinearIdentity(
  { resolved: { config } }: LegionLocation,
  { env }: CommandContext,
): Promise<string> {
  const client = await openLinearClient(config, env, systemClock);
  try {
    const { name, workspace } = await client.viewer();
    return `In Linear, Legion acts as ${name} of ${workspace.name} (${describeLinearCredential(config, env)}).`;
  } catch (error) {
    if (!(error instanceof LegionError)) throw error;
    return `Legion’s account in Linear is unknown: ${error.message}`;
  } finally {
    await client.close();
  }
}
