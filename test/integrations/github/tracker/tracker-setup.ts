/** GitHub boards for the conformance suite: the real client and a simulated GitHub on loopback. */

import type { ProjectName } from '../../../../simulators/github/simulator.ts';
import { STATUSES, type Status } from '../../../../src/core/model/status.ts';
import type { Tracker } from '../../../../src/ports/tracker.ts';
import type { TrackerHarness } from '../../../ports/tracker/conformance/tracker-under-test.ts';
import { OUTSIDER, REPO, type Simulated, simulated, WRITER } from './simulated.ts';

export function githubHarness(): TrackerHarness {
  let started: Promise<Simulated> | undefined;
  let board: ProjectName | undefined;

  function world(): Promise<Simulated> {
    started ??= simulated();
    return started;
  }

  async function open(): Promise<Tracker> {
    const stage = await world();
    if (board === undefined) throw new Error('there is no board yet');
    const tracker = await stage.tracker([board]);
    // Advances the clock with each call, because two changes within one second cannot be told
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

  async function person(issue: string): Promise<{ stage: Simulated; number: number; board: ProjectName }> {
    const stage = await world();
    stage.pass();
    if (board === undefined) throw new Error('there is no board yet');
    return { stage, number: Number(issue.slice('acme-app-'.length)), board };
  }

  async function fresh(statuses: readonly Status[]): Promise<Tracker> {
    board = (await world()).board({ statuses });
    return open();
  }

  return {
    fresh: () => fresh(STATUSES),
    freshWithout: (status) => fresh(STATUSES.filter((each) => each !== status)),
    reopen: open,
    async personComments(issue, text) {
      const { stage, number } = await person(issue);
      stage.github.people.comment(WRITER, REPO, number, text);
    },
    async outsiderComments(issue, text) {
      const { stage, number } = await person(issue);
      stage.github.people.comment(OUTSIDER, REPO, number, text);
    },
    async personLabels(issue, change) {
      const { stage, number } = await person(issue);
      stage.github.people.label(WRITER, REPO, number, change);
    },
    async personMoves(issue, to) {
      const { stage, number, board: project } = await person(issue);
      const { people } = stage.github;
      const { state, statuses } = stage.github.snapshot().issues.find((each) => each.number === number) ?? {};
      if (state === 'CLOSED') people.reopenIssue(WRITER, REPO, number);
      // Moving a card to the column it is already in sends no request.
      if (statuses?.[project] !== to) people.move(WRITER, project, REPO, number, to);
    },
    loseNextAnswer() {
      void world().then(({ github }) =>
        github.faults.next({ matching: 'Legion', executed: true, answer: { reset: true } }),
      );
    },
    breakNextList() {
      void world().then(({ github }) =>
        github.faults.next({ matching: 'BoardPage', answer: { partial: true } }),
      );
    },
    async dispose() {
      await (await started)?.close();
    },
  };
}
