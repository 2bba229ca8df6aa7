/** Shows a worker live and lets a person talk to it. Leaving the view never ends the worker. */

import { createInterface, moveCursor, type ReadLine } from 'node:readline';
import { LegionError } from '../../../../core/model/fault.ts';
import type { IssueId, WorkerId } from '../../../../core/model/ids.ts';
import { hasEnded } from '../../../../core/model/lifecycle.ts';
import { workerEndpoints } from '../../../../protocol/endpoints/workers.ts';
import { LineSplitter } from '../../../../protocol/line-splitter.ts';
import type { WorkerView } from '../../../../protocol/workers.ts';
import { isWindowVisible } from '../../../../terminals/attach.ts';
import { isInteractive } from '../../../ask-person.ts';
import { createDaemonClient } from '../../../daemon-client.ts';
import { getOperatorName } from '../../../parse-names.ts';
import { renderScreenLine, type ScreenLine, toStyledSegment } from '../../../present/table.ts';
import { describeWorkerState } from '../../../present/words.ts';
import type { CommandContext } from '../../../program/define-command.ts';
import { watchWorker } from '../../../worker-output.ts';
import { createAgentLineRenderer, parseTypedInput } from './render.ts';

/**
 * How long a view without a person at the keyboard waits after the worker has ended. A crashed
 * worker restarts within this time, and its last output arrives long before that.
 */
const MAX_RESPAWN_MS = 60_000;

export interface ShowWorkerOptions {
  /** The legion's state directory. */
  readonly state: string;
  readonly worker: WorkerId;
  /** Set if the view follows the issue to its next worker. */
  readonly issue?: IssueId | undefined;
  /**
   * For a view in a tmux window: how long after the worker's end the view closes, unless the window
   * is visible.
   */
  readonly leaveAfterMs?: number | undefined;
}

export async function showWorker(
  { state, worker: first, issue, leaveAfterMs }: ShowWorkerOptions,
  context: CommandContext,
) {
  const quitting = new AbortController();
  const signal = AbortSignal.any([context.signal, quitting.signal]);
  const isTyped = isInteractive(context);
  const screen = isTyped
    ? openTypingScreen(context, {
        onLine: onTypedLine,
        onInterrupt: () => printNote('dim', LEAVE_HINT),
        onQuit: () => quitting.abort(),
      })
    : createPlainScreen(context);
  let pendingSends: Promise<void> = Promise.resolve();
  let worker = first;

  function printNote(style: Parameters<typeof toStyledSegment>[0], text: string): void {
    screen.print([[toStyledSegment(style, text)]]);
  }

  function onTypedLine(line: string): void {
    const input = parseTypedInput(line);
    if (input.kind === 'quit') quitting.abort();
    else if (input.kind === 'wordless') printNote('dim', 'Type the message after "!".');
    // Sends messages one at a time, so that they arrive in the order typed.
    else if (input.kind === 'say') {
      // The message goes to the worker that was on the screen when the line was typed.
      const to = worker;
      pendingSends = pendingSends.then(() => sendMessage(to, input));
    }
  }

  async function sendMessage(
    to: WorkerId,
    { text, interrupt }: { text: string; interrupt: boolean },
  ): Promise<void> {
    const body = { text, by: getOperatorName(), interrupt, onlyIfWorking: true };
    try {
      // Closing the view does not abort this client, so that a message typed just before is still
      // sent.
      const daemon = createDaemonClient(state, context.signal);
      const answer = await daemon.call(workerEndpoints.prompt, { params: { id: to }, body });
      printNote('green', `${answer.delivery}: ${answer.says}`);
    } catch (error) {
      if (context.signal.aborted) return;
      const { message, next } =
        error instanceof LegionError ? error.fault : { message: String(error), next: '' };
      printNote('red', `The message was not sent: ${message} ${next}`);
    }
  }

  let ended: { readonly since: number; readonly status: string } | undefined;
  /** Returns true once the view should end. */
  async function isOver(worker: WorkerView): Promise<boolean> {
    const { status, exit } = worker;
    if (!isGone(worker)) ended = undefined;
    else if (ended?.status !== status) ended = { since: performance.now(), status };
    if (ended === undefined) return false;
    const elapsedMs = performance.now() - ended.since;
    if (leaveAfterMs !== undefined) {
      if (elapsedMs < leaveAfterMs) return false;
      // If the window is visible, the countdown starts again.
      if (!(await isWindowVisible(context.env))) return true;
      ended = { since: performance.now(), status };
      return false;
    }
    if (isTyped) return false;
    return (exit !== undefined && status !== 'crashed') || elapsedMs >= MAX_RESPAWN_MS;
  }

  try {
    screen.print(renderViewHeader(worker, isTyped));
    let lines = new LineSplitter();
    let render = createAgentLineRenderer();
    let last = '';
    for await (const update of watchWorker(
      state,
      // If no person can type, the view ends with this worker instead of following the issue.
      { worker, issue: isTyped ? issue : undefined, patient: leaveAfterMs !== undefined },
      signal,
    )) {
      switch (update.kind) {
        case 'worker':
          ({ worker } = update);
          ended = undefined;
          printNote('bold', `── ${worker}`);
          break;
        case 'attempt':
          lines = new LineSplitter();
          render = createAgentLineRenderer();
          printNote('bold', `── attempt ${update.attempt}`);
          break;
        case 'written':
          screen.print(lines.take(update.text).flatMap(render));
          break;
        case 'stopped':
          printNote('bold', '── the daemon was stopped, so this view ends; `legion status` lists workers');
          return;
        case 'away':
          printNote(
            'red',
            `the daemon is unreachable, reconnecting; the worker keeps running (${update.why})`,
          );
          break;
        case 'back':
          printNote('green', 'the daemon is back');
          break;
        case 'seen': {
          const rendered = renderWorkerStatus(update.worker, leaveAfterMs !== undefined);
          if (rendered.key !== last) screen.print([rendered.line]);
          last = rendered.key;
          if (await isOver(update.worker)) return;
        }
      }
    }
  } finally {
    quitting.abort();
    screen.close();
    await pendingSends;
  }
}

const LEAVE_HINT = 'Press Ctrl-C again or type /quit to leave this view. The worker keeps running.';

function renderViewHeader(worker: WorkerId, isTyped: boolean): readonly ScreenLine[] {
  const hint = 'Type a message and press Enter. Start it with "!" to interrupt the turn. /quit leaves.';
  return [[toStyledSegment('bold', worker)], ...(isTyped ? [[toStyledSegment('dim', hint)]] : [])];
}

/**
 * Returns whether the worker has ended. A worker that is being stopped already has its final
 * status, but its process is still running.
 */
function isGone({ status, stopping }: WorkerView): boolean {
  return hasEnded(status) && stopping === undefined;
}

/** Renders the worker's state. The caller prints it only when `key` changes. */
function renderWorkerStatus(
  worker: WorkerView,
  isWindow: boolean,
): { readonly key: string; readonly line: ScreenLine } {
  const { attempt, mode, issue, report } = worker;
  const { text, style } = describeWorkerState(worker);
  const summary = report === undefined ? '' : `: ${report.summary}`;
  const closeNote = isWindow ? '; this window closes automatically when it is not visible' : '';
  const nextStep = isGone(worker) ? ` · next: legion explain ${issue}${closeNote}` : '';
  return {
    key: `${attempt} ${text}`,
    line: [toStyledSegment(style, `── ${mode} is ${text}${summary}`), toStyledSegment('dim', nextStep)],
  };
}

/**
 * A second Ctrl-C within this time leaves the view. A single Ctrl-C may be pressed out of habit.
 */
const SECOND_PRESS_MS = 2_000;
const CLEAR_BELOW = '\u001b[J';
const PROMPT = '❯ ';

export interface ViewScreen {
  print(lines: readonly ScreenLine[]): void;
  close(): void;
}

interface TypingListener {
  onLine(line: string): void;
  /** Called after a single Ctrl-C. */
  onInterrupt(): void;
  /** Called after a second Ctrl-C, or after Ctrl-D. */
  onQuit(): void;
}

/** Prints plain lines, for a program. */
function createPlainScreen({ stdout }: CommandContext): ViewScreen {
  return { print: (lines) => stdout.write(renderScreenLines(lines)), close: () => undefined };
}

/** Prints lines above an input line, for a person. */
function openTypingScreen(
  { stdin, stdout, env: { TERM } }: CommandContext,
  listener: TypingListener,
): ViewScreen {
  const printText = TERM === 'dumb' ? printOnDumbTerminal : printAbovePrompt;
  const reader = createInterface({ input: stdin, output: stdout, prompt: PROMPT, terminal: true });
  let pressedAt = Number.NEGATIVE_INFINITY;
  let isClosed = false;
  reader.on('line', (line) => {
    listener.onLine(line);
    reader.prompt();
  });
  reader.on('SIGINT', () => {
    const isSecondPress = performance.now() - pressedAt < SECOND_PRESS_MS;
    pressedAt = performance.now();
    if (isSecondPress) listener.onQuit();
    else listener.onInterrupt();
  });
  reader.on('close', () => {
    isClosed = true;
    listener.onQuit();
  });
  reader.prompt();
  return {
    print(lines) {
      if (lines.length === 0) return;
      if (isClosed) stdout.write(renderScreenLines(lines));
      else printText(reader, stdout, renderScreenLines(lines));
    },
    close: () => reader.close(),
  };
}

/** Clears the input line and redraws it below the text. */
function printAbovePrompt(reader: ReadLine, stdout: CommandContext['stdout'], text: string): void {
  const { rows } = reader.getCursorPos();
  moveCursor(stdout, 0, -rows);
  // Readline will move the cursor up by as many rows as it drew last, so the same number of rows
  // must follow the text.
  stdout.write(`\r${CLEAR_BELOW}${text}${'\n'.repeat(rows)}`);
  reader.prompt(true);
}

/**
 * Prints the text on a terminal that supports no control codes. The input line cannot be cleared
 * there. Readline does not show the typed input again, so this function does.
 */
function printOnDumbTerminal(reader: ReadLine, stdout: CommandContext['stdout'], text: string): void {
  stdout.write(`\n${text}`);
  reader.prompt(true);
  stdout.write(reader.line);
}

/** Does not truncate lines: the terminal wraps them, and people can copy them whole. */
function renderScreenLines(lines: readonly ScreenLine[]): string {
  return lines.map((line) => `${renderScreenLine(line, Number.POSITIVE_INFINITY)}\n`).join('');
}
