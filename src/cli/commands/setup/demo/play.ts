/** Follows the events until every issue is Done, and acts as the demo's person in the meantime. */
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeEventBody } from '../../../../core/model/event.ts';
import type { DemoHistory } from '../../../../demo/history.ts';
import { narrateEvent } from '../../../../demo/narrate.ts';
import {
  describePersonAction,
  formatActionKey,
  listDueActions,
  type PersonAction,
} from '../../../../demo/person.ts';
import type { NumberedStory } from '../../../../demo/stories.ts';
import { createDaemonClient, type DaemonClient } from '../../../daemon-client.ts';
import { type SentEvent, watchEvents } from '../../../watch-events.ts';
import type { DemoBoard } from './board.ts';
import type { DemoReporter } from './reporters.ts';

/**
 * Pause before the demo's person acts, long enough for viewers to see the event that the person
 * reacts to.
 */
const READING_MS = 400;

export interface DemoPlay {
  /** Actions that the demo's person has taken so far. */
  readonly person: readonly { readonly issue: string; readonly did: string }[];
  /**
   * Fills the board and follows it. Returns true once all issues are Done and no worker is left,
   * false if `signal` aborts first.
   */
  run(fillBoard: () => Promise<void>): Promise<boolean>;
}

export interface PlayOptions {
  readonly state: string;
  readonly board: DemoBoard;
  readonly chronicle: DemoHistory;
  readonly show: DemoReporter;
  readonly signal: AbortSignal;
}

export function openPlay({
  state,
  board,
  chronicle: history,
  show: reporter,
  signal,
}: PlayOptions): DemoPlay {
  const { stories } = board;
  const startedActions = new Set<string>();
  const person: { issue: string; did: string }[] = [];
  const failing = new AbortController();
  const stopSignal = AbortSignal.any([signal, failing.signal]);
  const runningActions = new Set<Promise<void>>();

  function applyEvent(event: SentEvent): void {
    const body = decodeEventBody(event);
    // Ignores event types that only a newer daemon knows. The board still shows how the demo ends.
    if (!body.ok) return;
    const datedEvent = { ...body.value, at: event.at };
    history.applyEvent(datedEvent);
    const sentence = narrateEvent(datedEvent, history);
    if (sentence !== undefined) reporter.narrate(sentence, event.at);
    reporter.updateBoard(history);
  }

  async function perform(act: PersonAction): Promise<void> {
    await sleep(READING_MS, undefined, { signal: stopSignal });
    reporter.reportPersonAct(act.issue, describePersonAction(act));
    await executePersonAct(createDaemonClient(state, stopSignal), board, act);
    person.push({ issue: act.issue, did: describePersonAction(act) });
  }

  /** Runs work in the background. If the work fails, stops following the events. */
  function runInBackground(work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => failing.abort(error))
      .finally(() => runningActions.delete(done));
    runningActions.add(done);
  }

  function begin(act: PersonAction): void {
    startedActions.add(formatActionKey(act));
    runInBackground(perform(act));
  }

  async function run(fillBoard: () => Promise<void>): Promise<boolean> {
    runInBackground(fillBoard());
    for await (const update of watchEvents(state, { after: 0, back: 0 }, stopSignal)) {
      if (update.kind !== 'event') continue;
      applyEvent(update.event);
      for (const act of listDueActions(history, stories))
        if (!startedActions.has(formatActionKey(act))) begin(act);
      if (isPlayOver(history, stories)) break;
    }
    await Promise.all(runningActions);
    if (failing.signal.aborted && !signal.aborted) throw failing.signal.reason;
    return isPlayOver(history, stories);
  }

  return { person, run };
}

/**
 * Returns true once every issue is Done and every worker process has exited. Checks only the last
 * attempt of each mode, because an attempt starts only after the previous one has ended.
 */
function isPlayOver(history: DemoHistory, stories: readonly NumberedStory[]): boolean {
  return stories.every(({ id }) => {
    const { status, attempts } = history.getIssue(id);
    const last = attempts.filter(
      ({ mode }, index) => !attempts.slice(index + 1).some((later) => later.mode === mode),
    );
    return status === 'Done' && last.every(({ exited }) => exited);
  });
}

async function executePersonAct(daemon: DaemonClient, board: DemoBoard, act: PersonAction): Promise<void> {
  switch (act.kind) {
    case 'clarify':
      return board.clarify(act.issue, act.text, daemon);
    case 'answer':
      return board.answer(act, act.text, daemon);
    case 'approve':
      return board.approve(act.issue, daemon);
  }
}
