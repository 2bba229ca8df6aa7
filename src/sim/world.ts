/** What is there whether or not a daemon runs: board, forge, machine, journal, outboxes, and time. */

import type { IssueId, SessionId } from '../core/model/ids.ts';
import type { Agent, AgentEvent, Launch } from '../ports/agent.ts';
import type { BaseStanding, Removal, Standing, Workspaces } from '../workspaces/workspace.ts';
import { type SimBoard, simBoard } from './board.ts';
import { Code } from './code.ts';
import type { Faults } from './faults.ts';
import { type SimForge, simForge } from './forge.ts';
import { type SimHost, type SimProcess, simHost } from './host.ts';
import { type SimJournal, simJournal } from './journal.ts';
import { Outboxes } from './outboxes.ts';
import type { Random } from './random.ts';
import type { Rules } from './rules.ts';
import type { Time } from './time.ts';

export interface Earth extends Omit<EarthOptions, 'play'> {
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
  const code = new Code(() => time.now());
  const writtenAt = new Map<string, number>();
  const forge = simForge({
    ...{ code, time, random },
    ciFails: () => faults.comes('ciFails', 'CI fails'),
    landed: (issue, sha) => rules.board.landed(earth, issue, sha),
  });
  const earth: Earth = {
    ...{ time, random, faults, rules, code, forge },
    journal: simJournal((events) => {
      rules.journal.appended(events);
      rules.people.appended(events);
      for (const event of events) {
        rules.workers.appended(event);
        rules.board.recorded(event);
      }
    }),
    board: simBoard({
      now: () => time.now(),
      isPageMissing: () => faults.comes('partial', 'page of the board missing'),
      moved: (issue, from, to) => rules.board.moved(issue, from, to),
      relabelled: (issue, add, remove) => rules.people.relabelled(issue, add, remove),
      told: (issue, key, text) => rules.people.told(issue, key, text),
    }),
    workspaces: simWorkspaces(code, forge.isMerged),
    host: simHost({
      ...{ time, faults },
      play(process) {
        rules.workers.started(earth, process);
        const { LEGION_ISSUE = '', LEGION_PHASE } = process.order.env;
        if (LEGION_PHASE === 'retro') rules.board.lookingBack(LEGION_ISSUE);
        play(earth, process);
      },
      signalled: (process, signal) => rules.workers.signalled(process, signal),
    }),
    agent: simAgent({ writtenAt, isHidden: () => faults.hides('session') }),
    outboxes: new Outboxes(({ worker, who }, code) => rules.journal.thrownAway(worker, who.attempt, code)),
    sessionWritten: (session) => writtenAt.set(session, time.now()),
  };
  return earth;
}

interface Sessions {
  /** When each was last written to. */
  readonly writtenAt: Map<SessionId, number>;
  /** Whether it cannot be looked at now. */
  readonly isHidden: () => boolean;
}

/** The agent of the simulation as the daemon sees it: its lines are the port's events as JSON. */
function simAgent({ writtenAt, isHidden }: Sessions): Agent {
  const launch = (session: SessionId): Launch => ({
    argv: ['sim', session],
    env: { SIM_SESSION: session },
    stdin: '',
  });
  return {
    kind: 'sim',
    variables: [],
    hearsLetters: false,
    preflight: async () => ({ ready: true, version: '1' }),
    launch,
    resume: launch,
    read: (line) => [JSON.parse(line) as AgentEvent],
    async session(session) {
      if (isHidden()) return 'unavailable';
      const at = writtenAt.get(session);
      return at === undefined ? 'missing' : { at };
    },
  };
}

/** `isMerged` tells whether what stands at a commit has arrived in the base. */
function simWorkspaces(code: Code, isMerged: (sha: string) => boolean): Workspaces {
  const there = new Set<IssueId>();
  const workspaceOf = (issue: IssueId) => ({ issue, path: `/sim/workspaces/${issue}`, branch: issue });
  return {
    kind: 'git-worktree',
    async ensure(issue) {
      there.add(issue);
      if (!code.heads.has(issue)) code.heads.set(issue, code.branches.get(issue) ?? code.base);
      return workspaceOf(issue);
    },
    find: async (issue) => (there.has(issue) ? workspaceOf(issue) : undefined),
    async standing(issue): Promise<Standing | undefined> {
      return there.has(issue) ? { head: code.heads.get(issue) ?? '', uncommitted: [] } : undefined;
    },
    async bringToBase(issue): Promise<BaseStanding | undefined> {
      const head = code.heads.get(issue);
      if (!there.has(issue) || head === undefined) return undefined;
      const isFresh = code.ahead(head).length === 0;
      if (isFresh) code.heads.set(issue, code.base);
      return {
        base: 'main',
        ahead: isFresh ? 0 : 1,
        behind: isFresh ? 0 : code.behind(head),
        conflicts: code.conflicts(head),
        uncommitted: [],
        moved: isFresh && head !== code.base,
      };
    },
    changedAt: async (issue) => (there.has(issue) ? (code.changedAt.get(issue) ?? 0) : undefined),
    list: async () => [...there].sort().map(workspaceOf),
    async remove(issue): Promise<Removal> {
      const head = code.heads.get(issue);
      const isKept = head === undefined || code.ahead(head).length === 0 || isMerged(head);
      if (there.has(issue) && !isKept)
        return { removed: false, holds: [`neither merged nor pushed: ${head}`] };
      there.delete(issue);
      code.heads.delete(issue);
      return { removed: true };
    },
    prune: async () => [],
  };
}
