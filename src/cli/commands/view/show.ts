/** Shows a worker at work, lets a person speak to it, and leaves: it is the view that ends, never the worker. */
import { LegionError } from '../../../core/model/fault.ts';
import type { IssueId, WorkerId } from '../../../core/model/ids.ts';
import { hasEnded } from '../../../domain/lifecycle.ts';
import { workerEndpoints } from '../../../protocol/endpoints/workers.ts';
import { Lines } from '../../../protocol/line-splitter.ts';
import type { WorkerView } from '../../../protocol/operator.ts';
import { isLookedAt } from '../../../views/tmux/looked-at.ts';
import { isInteractive } from '../../ask-person.ts';
import type { CommandContext } from '../../command.ts';
import { daemonClient } from '../../daemon-client.ts';
import { operatorName } from '../../operator.ts';
import { type Line, styled } from '../../present/line.ts';
import { workerState } from '../../present/words.ts';
import { followWorker } from './follow.ts';
import { meaningOf } from './meaning.ts';
import { rendering } from './render.ts';
import { plainScreen, typingScreen } from './screen.ts';

/** Without a person: a crashed worker is started again within this, and last words come long before. */
const ENDED_FOR_GOOD_MS = 60_000;

export interface Shown {
  /** The legion's state folder. */
  readonly state: string;
  readonly worker: WorkerId;
  /** Its issue, where a person follows that to the next worker. */
  readonly issue?: IssueId | undefined;
  /** A window of tmux: leaves so long after the worker has ended, unless somebody looks at it. */
  readonly leaveAfterMs?: number | undefined;
}

export async function showWorker(
  { state, worker: first, issue, leaveAfterMs }: Shown,
  context: CommandContext,
) {
  const leaving = new AbortController();
  const signal = AbortSignal.any([context.signal, leaving.signal]);
  const isTyped = isInteractive(context);
  const screen = isTyped
    ? typingScreen(context, { typed, warned: () => note('dim', LEAVES_HINT), left: () => leaving.abort() })
    : plainScreen(context);
  let asked: Promise<void> = Promise.resolve();
  let worker = first;

  function note(style: Parameters<typeof styled>[0], text: string): void {
    screen.print([[styled(style, text)]]);
  }

  function typed(line: string): void {
    const meaning = meaningOf(line);
    if (meaning.kind === 'quit') leaving.abort();
    else if (meaning.kind === 'wordless') note('dim', 'Behind "!" stands what it should hear.');
    // One after the other: they should reach the worker in the order in which they were typed.
    else if (meaning.kind === 'say') {
      // The worker that was on the screen when the line was typed.
      const to = worker;
      asked = asked.then(() => say(to, meaning));
    }
  }

  async function say(to: WorkerId, { text, interrupt }: { text: string; interrupt: boolean }): Promise<void> {
    const body = { text, by: operatorName(), interrupt, onlyIfWorking: true };
    try {
      // Also of somebody who leaves right after it: what was typed is told before the view ends.
      const daemon = daemonClient(state, context.signal);
      const answer = await daemon.call(workerEndpoints.prompt, { params: { id: to }, body });
      note('green', `${answer.delivery}: ${answer.says}`);
    } catch (error) {
      if (context.signal.aborted) return;
      const { message, next } =
        error instanceof LegionError ? error.fault : { message: String(error), next: '' };
      note('red', `It was not told: ${message} ${next}`);
    }
  }

  let ended: { readonly since: number; readonly status: string } | undefined;
  /** Whether it is time to leave. */
  async function isOver(seen: WorkerView): Promise<boolean> {
    const { status, exit } = seen;
    if (!isGone(seen)) ended = undefined;
    else if (ended?.status !== status) ended = { since: performance.now(), status };
    if (ended === undefined) return false;
    const past = performance.now() - ended.since;
    if (leaveAfterMs !== undefined) {
      if (past < leaveAfterMs) return false;
      // Counted anew from the last time somebody was seen.
      if (!(await isLookedAt(context.env))) return true;
      ended = { since: performance.now(), status };
      return false;
    }
    if (isTyped) return false;
    return (exit !== undefined && status !== 'crashed') || past >= ENDED_FOR_GOOD_MS;
  }

  try {
    screen.print(headLines(worker, isTyped));
    let lines = new Lines();
    let render = rendering();
    let last = '';
    for await (const happening of followWorker(
      state,
      // Without a person the output ends with the worker.
      { worker, issue: isTyped ? issue : undefined, patient: leaveAfterMs !== undefined },
      signal,
    )) {
      switch (happening.kind) {
        case 'worker':
          ({ worker } = happening);
          ended = undefined;
          note('bold', `── ${worker}`);
          break;
        case 'attempt':
          lines = new Lines();
          render = rendering();
          note('bold', `── attempt ${happening.attempt}`);
          break;
        case 'written':
          screen.print(lines.take(happening.text).flatMap(render));
          break;
        case 'away':
          note('red', `the daemon is away and waited for; the worker goes on (${happening.why})`);
          break;
        case 'back':
          note('green', 'the daemon is back');
          break;
        case 'seen': {
          const said = statusLine(happening.worker, leaveAfterMs !== undefined);
          if (said.key !== last) screen.print([said.line]);
          last = said.key;
          if (await isOver(happening.worker)) return;
        }
      }
    }
  } finally {
    leaving.abort();
    screen.close();
    await asked;
  }
}

const LEAVES_HINT = 'Ctrl-C once more, or /quit, leaves this view; the worker goes on.';

function headLines(worker: WorkerId, isTyped: boolean): readonly Line[] {
  const hint = 'Enter says a line to it, "!" in front cuts its turn short, /quit leaves.';
  return [[styled('bold', worker)], ...(isTyped ? [[styled('dim', hint)]] : [])];
}

/** A worker that is being stopped has its final status already, but still runs. */
function isGone({ status, stopping }: WorkerView): boolean {
  return hasEnded(status) && stopping === undefined;
}

/** Told when it changes. */
function statusLine(worker: WorkerView, isWindow: boolean): { readonly key: string; readonly line: Line } {
  const { attempt, mode, issue, report } = worker;
  const { text, style } = workerState(worker);
  const summary = report === undefined ? '' : `: ${report.summary}`;
  const closes = isWindow ? '; this window closes by itself when nobody looks at it' : '';
  const over = isGone(worker) ? ` · what comes next: legion explain ${issue}${closes}` : '';
  return {
    key: `${attempt} ${text}`,
    line: [styled(style, `── ${mode} is ${text}${summary}`), styled('dim', over)],
  };
}
