/** What is there whether or not a daemon runs: board, forge, machine, journal, outboxes, and time. */
import type { Agent } from '../agents/agent.ts';
import type { Workspaces } from '../workspaces/workspace.ts';
import { simAgent } from './agent.ts';
import { type SimBoard, simBoard } from './board.ts';
import { Code, simWorkspaces } from './code.ts';
import type { Faults } from './faults.ts';
import { type SimForge, simForge } from './forge.ts';
import { type SimHost, type SimProcess, simHost } from './host.ts';
import { type SimJournal, simJournal } from './journal.ts';
import { Outboxes } from './outboxes.ts';
import type { Random } from './random.ts';
import type { Rules } from './rules.ts';
import type { Time } from './time.ts';

export interface Earth {
  readonly time: Time;
  readonly random: Random;
  readonly faults: Faults;
  readonly rules: Rules;
  readonly journal: SimJournal;
  readonly board: SimBoard;
  readonly code: Code;
  readonly forge: SimForge;
  readonly workspaces: Workspaces;
  readonly host: SimHost;
  readonly agent: Agent;
  readonly outboxes: Outboxes;
  readonly sessionWritten: (session: string) => void;
}

export interface EarthOptions {
  readonly time: Time;
  readonly random: Random;
  readonly faults: Faults;
  readonly rules: Rules;
  readonly play: (earth: Earth, process: SimProcess) => void;
}

export function makeEarth({ time, random, faults, rules, play }: EarthOptions): Earth {
  const code = new Code();
  const writtenAt = new Map<string, number>();
  const forge = simForge({
    ...{ code, time, random },
    ciFails: () => faults.rates.ciFails,
    landed: (issue, sha) => rules.landed(earth, issue, sha),
  });
  const earth: Earth = {
    ...{ time, random, faults, rules, code, forge },
    journal: simJournal((events) => rules.appended(events)),
    board: simBoard(
      () => time.now(),
      (issue, from, to) => rules.moved(issue, from, to),
    ),
    workspaces: simWorkspaces(code, forge.isMerged),
    host: simHost({
      time,
      play(process) {
        rules.started(earth, process);
        play(earth, process);
      },
      signalled: (process, signal) => rules.signalled(process, signal),
    }),
    agent: simAgent({ writtenAt }),
    outboxes: new Outboxes(),
    sessionWritten: (session) => writtenAt.set(session, time.now()),
  };
  return earth;
}
