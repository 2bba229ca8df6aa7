/** What `legion up` says about the legion’s fitness for work: it waits for the baseline at a terminal, and shows each problem. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BaselineRequest } from '../../../../protocol/baseline.ts';
import { adminEndpoints } from '../../../../protocol/endpoints/admin.ts';
import type { HealthView } from '../../../../protocol/operator.ts';
import type { CommandContext } from '../../../command.ts';
import type { DaemonClient } from '../../../daemon-client.ts';
import { operatorName } from '../../../operator.ts';
import { noticeLines, troubleLines } from '../../../present/health.ts';
import { withProgress } from '../../../present/progress.ts';
import { safeLine, safeText } from '../../../present/safe.ts';
import { waitFor } from '../../../wait-for.ts';

/** An agent answers within a second or two; what takes longer is shown by `legion status`. */
const LOOK_MS = 10_000;
const LOOK_EVERY_MS = 100;
const BASELINE_LOOK_MS = 500;

export interface BaselineOptions {
  readonly ignoreBaseline?: true;
  readonly rerunBaseline?: true;
}

export function baselineActions({
  rerunBaseline,
  ignoreBaseline,
}: BaselineOptions): readonly BaselineRequest['action'][] {
  return [
    ...(rerunBaseline === true ? (['rerun'] as const) : []),
    ...(ignoreBaseline === true ? (['ignore'] as const) : []),
  ];
}

export async function changeBaselines(
  daemon: DaemonClient,
  actions: readonly BaselineRequest['action'][],
): Promise<readonly string[]> {
  const said: string[] = [];
  for (const action of actions) {
    const body = { action, by: operatorName() };
    said.push((await daemon.call(adminEndpoints.baseline, { body })).says);
  }
  return said;
}

/** As it stands once everything was looked at; a baseline may still run. */
export async function readFitness(daemon: DaemonClient, { signal }: CommandContext): Promise<HealthView> {
  const read = () => daemon.call(adminEndpoints.health);
  const looked = await waitFor(
    async () => {
      const health = await read();
      return health.baselines === undefined ? undefined : health;
    },
    { everyMs: LOOK_EVERY_MS, boundMs: LOOK_MS, signal },
  );
  return looked ?? read();
}

export async function showFitness(daemon: DaemonClient, context: CommandContext): Promise<void> {
  const { stdout } = context;
  const health = await settled(daemon, await readFitness(daemon, context), context);
  for (const { repo, command } of health.baselines ?? [])
    stdout.write(
      `The baseline of ${safeLine(repo)} is running (${safeLine(command)}); no worker starts before its result. \`legion status\` shows it.\n`,
    );
  for (const line of [...troubleLines(health, Date.now()), ...noticeLines(health)]) stdout.write(`${line}\n`);
}

/** Only a person at a terminal waits for the baseline; a script goes on. */
async function settled(
  daemon: DaemonClient,
  first: HealthView,
  context: CommandContext,
): Promise<HealthView> {
  if (context.stderr.isTTY !== true || (first.baselines ?? []).length === 0) return first;
  let health = first;
  const what = () => `running the baseline: ${safeText(health.baselines?.[0]?.command ?? '')}`;
  await withProgress(context, what, async () => {
    while ((health.baselines ?? []).length > 0) {
      await sleep(BASELINE_LOOK_MS, undefined, { signal: context.signal });
      health = await daemon.call(adminEndpoints.health);
    }
  });
  if (health.troubles.every(({ code }) => !code.startsWith('baseline.')))
    context.stdout.write('The baseline is green.\n');
  return health;
}
