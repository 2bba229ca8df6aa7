/**
 * Kill switch: halts the whole legion and stops every worker at once. Running merges complete
 * first.
 */

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { decode } from '../../core/model/decode.ts';
import type { IssueId } from '../../core/model/ids.ts';
import { type HaltOrder, type HaltPlan, planHalt } from '../../core/state/halt.ts';
import { parseJson } from '../../lib/json.ts';
import { HALT_FILE, haltFileSchema } from '../../protocol/state-files.ts';
import type { StateContext } from '../context/daemon-context.ts';
import type { HaltResult } from './control.ts';
import type { NumberedCommand, Performer } from './performer.ts';

/** Resolves when the halt and the end of every attempt are in the journal. */
export async function haltLegion(
  context: StateContext,
  performer: Pick<Performer, 'begin' | 'waitForIssue'>,
  order: HaltOrder,
): Promise<HaltResult> {
  const { open } = context.ledger.state.breaker;
  const before = open?.kind === 'halt' ? { by: open.by ?? 'an operator', since: open.since } : undefined;
  const step = await recordHalt(context, order);
  context.wake();
  const ladders = beginCommands(performer, step.commands);
  // Workers whose stop began before the halt lose the rest of their grace period and are stopped
  // together with the others.
  const earlier = listIssuesBeingStopped(context).map((issue) => performer.waitForIssue(issue));
  const mergers = step.merging.length === 0 ? [] : [stopMergers()];
  const settled = Promise.all([ladders, ...earlier, ...mergers]);
  return {
    before,
    stopped: step.stopped,
    merging: step.merging,
    settled: settled.then(
      () => undefined,
      (error: unknown) => context.problems.report('halt', error),
    ),
  };

  async function stopMergers(): Promise<void> {
    await context.merges.waitForAll();
    const rest = await recordHalt(context, order);
    await beginCommands(performer, rest.commands);
    // A merge worker whose merge was refused may have begun another merge just then.
    if (rest.merging.length > 0) await stopMergers();
  }
}

function listIssuesBeingStopped({ ledger }: StateContext): readonly IssueId[] {
  const commands = [...ledger.state.intents.values()].map(({ command }) => command);
  return commands.filter(({ kind }) => kind === 'stop').map(({ issue }) => issue);
}

/**
 * Records the halt and the end of the attempts in one append, so that nothing can start or merge in
 * between.
 */
export async function recordHalt(context: StateContext, order: HaltOrder): Promise<HaltPlan> {
  let step: HaltPlan = { events: [], commands: [], stopped: [], merging: [] };
  await context.ledger.append((state) => {
    step = planHalt(state, order, (issue) => context.merges.has(issue));
    return step.events;
  });
  return step;
}

async function beginCommands(
  performer: Pick<Performer, 'begin'>,
  commands: readonly NumberedCommand[],
): Promise<void> {
  await Promise.all(commands.map((numbered) => performer.begin(numbered.command.issue, [numbered])));
}

/**
 * Applies a halt that a person ordered while no daemon was reachable. Resolves to whether a halt
 * file existed. The file is removed only after `halt` has journaled the order.
 */
export async function importHaltFile(
  state: string,
  halt: (order: HaltOrder) => Promise<unknown>,
): Promise<boolean> {
  const path = join(state, HALT_FILE);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return false;
  await halt(parseHaltOrder(text));
  await rm(path, { force: true });
  return true;
}

/**
 * Parses the halt file. A damaged file also halts the legion, because its author wanted everything
 * to stop.
 */
function parseHaltOrder(text: string): HaltOrder {
  const decoded = decode(haltFileSchema, parseJson(text), HALT_FILE);
  return decoded.ok ? decoded.value : { by: 'an operator', why: `${HALT_FILE} could not be read` };
}
