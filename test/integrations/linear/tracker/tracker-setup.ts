/** Linear teams for the conformance suite: the real client and a simulated Linear on loopback. */
import type { Status } from '../../../../src/core/model/status.ts';
import type { Tracker } from '../../../../src/ports/tracker.ts';
import type { TrackerHarness } from '../../../ports/tracker/conformance/tracker-under-test.ts';
import { OUTSIDER, type Simulated, simulated, WRITER } from './simulated.ts';

export function linearHarness(): TrackerHarness {
  let started: Promise<Simulated> | undefined;
  let team: string | undefined;
  let teams = 0;

  function world(): Promise<Simulated> {
    started ??= simulated();
    return started;
  }

  async function open(): Promise<Tracker> {
    const stage = await world();
    if (team === undefined) throw new Error('there is no team yet');
    const tracker = await stage.tracker(team);
    // Advances the clock with each call, because two changes within one millisecond cannot be told
    // apart.
    const later = <Given extends unknown[], T>(call: (...given: Given) => Promise<T>) => {
      return (...given: Given) => {
        stage.pass();
        return call(...given);
      };
    };
    const { write, comment, create, close, move } = tracker;
    const writes = { write: later(write), comment: later(comment), create: later(create) };
    return { ...tracker, ...writes, close: later(close), move: later(move) };
  }

  async function fresh(without?: Status): Promise<Tracker> {
    const stage = await world();
    teams += 1;
    team = stage.team(`T${teams}`, without);
    return open();
  }

  async function person(): Promise<Simulated> {
    const stage = await world();
    stage.pass();
    return stage;
  }

  return {
    fresh: () => fresh(),
    freshWithout: (status) => fresh(status),
    reopen: open,
    async personComments(issue, text) {
      (await person()).linear.people.comment(WRITER, issue, text);
    },
    async outsiderComments(issue, text) {
      (await person()).linear.people.externalComment(OUTSIDER, issue, text);
    },
    async personLabels(issue, change) {
      (await person()).linear.people.setLabels(WRITER, issue, change);
    },
    async personMoves(issue, to) {
      (await person()).linear.people.move(WRITER, issue, to);
    },
    loseNextAnswer() {
      void world().then(({ linear }) =>
        linear.faults.next({ matching: 'Legion', executed: true, answer: { reset: true } }),
      );
    },
    breakNextList() {
      void world().then(({ linear }) =>
        linear.faults.next({ matching: 'BoardPage', answer: { partial: true } }),
      );
    },
    async dispose() {
      await (await started)?.close();
    },
  };
}
