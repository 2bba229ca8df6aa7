/** Follows the events until every issue is Done, and does what a person has to do meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeEventBody } from '../../../core/model/event.ts';
import type { Chronicle } from '../../../demo/history.ts';
import { type Act, actInWords, actsDue, nameOf } from '../../../demo/person.ts';
import type { NumberedStory } from '../../../demo/stories.ts';
import { told } from '../../../demo/telling.ts';
import { type DaemonClient, daemonClient } from '../../daemon-client.ts';
import type { SentEvent } from '../../event-stream.ts';
import type { DemoBoard } from '../setup/demo/board.ts';
import { follow } from '../watch/follow.ts';
import type { Show } from './show.ts';

/** What a person takes to read before it acts; also long enough for the audience to see what it acts upon. */
const READING_MS = 400;

export interface Play {
  /** What the person did so far. */
  readonly person: readonly { readonly issue: string; readonly did: string }[];
  /** Fills the board and follows it. True once all is Done and no worker is left; false where `signal` came first. */
  run(fillBoard: () => Promise<void>): Promise<boolean>;
}

export interface PlayOptions {
  readonly state: string;
  readonly board: DemoBoard;
  readonly chronicle: Chronicle;
  readonly show: Show;
  readonly signal: AbortSignal;
}

export function openPlay({ state, board, chronicle, show, signal }: PlayOptions): Play {
  const { stories } = board;
  const begun = new Set<string>();
  const person: { issue: string; did: string }[] = [];
  const failing = new AbortController();
  const either = AbortSignal.any([signal, failing.signal]);
  const acting = new Set<Promise<void>>();

  function takeIn(event: SentEvent): void {
    const body = decodeEventBody(event);
    // A type this version does not know: its daemon is newer, and the board still tells how it ends.
    if (!body.ok) return;
    const happened = { ...body.value, at: event.at };
    chronicle.take(happened);
    const sentence = told(happened, chronicle);
    if (sentence !== undefined) show.told(sentence, event.at);
    show.board(chronicle);
  }

  async function perform(act: Act): Promise<void> {
    await sleep(READING_MS, undefined, { signal: either });
    show.person(act.issue, actInWords(act));
    await asPerson(daemonClient(state, either), board, act);
    person.push({ issue: act.issue, did: actInWords(act) });
  }

  /** What fails beside the events ends the following of them. */
  function meanwhile(work: Promise<void>): void {
    const done = work.catch((error: unknown) => failing.abort(error)).finally(() => acting.delete(done));
    acting.add(done);
  }

  function begin(act: Act): void {
    begun.add(nameOf(act));
    meanwhile(perform(act));
  }

  async function run(fillBoard: () => Promise<void>): Promise<boolean> {
    meanwhile(fillBoard());
    for await (const happening of follow(state, { after: 0, back: 0 }, either)) {
      if (happening.kind !== 'event') continue;
      takeIn(happening.event);
      for (const act of actsDue(chronicle, stories)) if (!begun.has(nameOf(act))) begin(act);
      if (isOver(chronicle, stories)) break;
    }
    await Promise.all(acting);
    if (failing.signal.aborted && !signal.aborted) throw failing.signal.reason;
    return isOver(chronicle, stories);
  }

  return { person, run };
}

/** Every issue is Done, and every worker’s process has ended; a next life begins only after the end of the one before. */
function isOver(chronicle: Chronicle, stories: readonly NumberedStory[]): boolean {
  return stories.every(({ id }) => {
    const { status, lives } = chronicle.of(id);
    const last = lives.filter(
      ({ mode }, index) => !lives.slice(index + 1).some((later) => later.mode === mode),
    );
    return status === 'Done' && last.every(({ exited }) => exited);
  });
}

async function asPerson(daemon: DaemonClient, board: DemoBoard, act: Act): Promise<void> {
  switch (act.kind) {
    case 'clarify':
      return board.clarify(act.issue, act.text, daemon);
    case 'answer':
      return board.answer(act, act.text, daemon);
    case 'approve':
      return board.approve(act.issue, daemon);
  }
}
