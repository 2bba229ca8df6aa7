/**
 * Reports during `legion up` whether the legion is ready to work: waits for the baseline at a
 * terminal and lists each problem.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { adminEndpoints } from '../../../../protocol/endpoints/admin.ts';
import type { BaselineRequest } from '../../../../protocol/operator.ts';
import type { HealthView } from '../../../../protocol/status.ts';
import type { DaemonClient } from '../../../daemon-client.ts';
import { getOperatorName } from '../../../parse-names.ts';
import { renderNotices, renderProblems } from '../../../present/status.ts';
import { sanitizeLine, sanitizeText, withProgress } from '../../../present/terminal.ts';
import type { CommandContext } from '../../../program/define-command.ts';
import { waitFor } from '../../../wait-for.ts';

/**
 * Agents usually answer within 1 to 2 s. Results that take longer than this limit appear in `legion
 * status`.
 */
const MAX_PREFLIGHT_MS = 10_000;
const PREFLIGHT_POLL_MS = 100;
const BASELINE_POLL_MS = 500;

export interface BaselineOptions {
  readonly ignoreBaseline?: true;
  readonly rerunBaseline?: true;
}

export function toBaselineActions({
  rerunBaseline,
  ignoreBaseline,
}: BaselineOptions): readonly BaselineRequest['action'][] {
  return [
    ...(rerunBaseline === true ? (['rerun'] as const) : []),
    ...(ignoreBaseline === true ? (['ignore'] as const) : []),
  ];
}

export async function updateBaselines(
  daemon: DaemonClient,
  actions: readonly BaselineRequest['action'][],
): Promise<readonly string[]> {
  const messages: string[] = [];
  for (const action of actions) {
    const body = { action, by: getOperatorName() };
    messages.push((await daemon.call(adminEndpoints.baseline, { body })).says);
  }
  return messages;
}

/** Reads the health after all preflight checks have run; a baseline may still be running. */
export async function readFitness(daemon: DaemonClient, { signal }: CommandContext): Promise<HealthView> {
  const read = () => daemon.call(adminEndpoints.health);
  const checked = await waitFor(
    async () => {
      const health = await read();
      return health.baselines === undefined ? undefined : health;
    },
    { everyMs: PREFLIGHT_POLL_MS, boundMs: MAX_PREFLIGHT_MS, signal },
  );
  return checked ?? read();
}

export async function showFitness(daemon: DaemonClient, context: CommandContext): Promise<void> {
  const { stdout } = context;
  const health = await waitForBaselines(daemon, await readFitness(daemon, context), context);
  for (const { repo, command } of health.baselines ?? [])
    stdout.write(
      `The baseline of ${sanitizeLine(repo)} is running (${sanitizeLine(command)}). Workers start after it passes. Run \`legion status\` to see the result.\n`,
    );
  for (const line of [...renderProblems(health, Date.now()), ...renderNotices(health)])
    stdout.write(`${line}\n`);
}

/** Only a person at a terminal waits for the baseline; scripts continue. */
async function waitForBaselines(
  daemon: DaemonClient,
  first: HealthView,
  context: CommandContext,
): Promise<HealthView> {
  if (context.stderr.isTTY !== true || (first.baselines ?? []).length === 0) return first;
  let health = first;
  const describeBaseline = () =>
    `running the baseline: ${sanitizeText(health.baselines?.[0]?.command ?? '')}`;
  await withProgress(context, describeBaseline, async () => {
    while ((health.baselines ?? []).length > 0) {
      await sleep(BASELINE_POLL_MS, undefined, { signal: context.signal });
      health = await daemon.call(adminEndpoints.health);
    }
  });
  if (health.troubles.every(({ code }) => !code.startsWith('baseline.')))
    context.stdout.write('The baseline is green.\n');
  return health;
}
