/**
 * Builds the part of the simulated world that exists without a daemon: board, forge, machine,
 * journal, outboxes and time.
 */

import type { IssueId, SessionId } from '../core/model/ids.ts';
import type { Agent, AgentEvent, LaunchSpec } from '../ports/agent.ts';
import type { BaseComparison, RemovalResult, WorkspaceStatus, Workspaces } from '../ports/workspace.ts';
import { createSimBoard, type SimBoard } from './board.ts';
import { SimRepository } from './code.ts';
import type { FaultInjector } from './faults.ts';
import { createSimForge, type SimForge } from './forge.ts';
import { createSimHost, type SimHost, type SimProcess } from './host.ts';
import { createSimJournal, type SimJournal } from './journal.ts';
import { SimOutboxes } from './outboxes.ts';
import type { SeededRandom } from './random.ts';
import type { SimulationRules } from './rules.ts';
import type { SimTime } from './time.ts';

export interface SimWorld extends Omit<SimWorldOptions, 'play'> {
  readonly journal: SimJournal;
  readonly board: SimBoard;
  readonly code: SimRepository;
  readonly forge: SimForge;
  readonly workspaces: Workspaces;
  readonly host: SimHost;
  readonly agent: Agent;
  readonly outboxes: SimOutboxes;
  readonly sessionWritten: (session: string) => void;
}

export interface SimWorldOptions {
  readonly time: SimTime;
  readonly random: SeededRandom;
  readonly faults: FaultInjector;
  readonly rules: SimulationRules;
  readonly play: (world: SimWorld, process: SimProcess) => void;
}

export function createSimWorld({ time, random, faults, rules, play }: SimWorldOptions): SimWorld {
  const code = new SimRepository(() => time.now());
  const writtenAt = new Map<string, number>();
  const forge = createSimForge({
    code,
    time,
    random,
    ciFails: () => faults.drawFault('ciFails', 'CI fails'),
    onLanded: (issue, sha) => rules.board.checkLandedMerge(world, issue, sha),
  });
  const world: SimWorld = {
    time,
    random,
    faults,
    rules,
    code,
    forge,
    journal: createSimJournal((events) => {
      rules.journal.appended(events);
      rules.people.appended(events);
      for (const event of events) {
        rules.workers.appended(event);
        rules.board.recorded(event);
      }
    }),
    board: createSimBoard({
      now: () => time.now(),
      isPageMissing: () => faults.drawFault('partial', 'page of the board missing'),
      onMoved: (issue, from, to) => rules.board.checkMove(issue, from, to),
      onRelabelled: (issue, add, remove) => rules.people.checkLabelChange(issue, add, remove),
      onComment: (issue, key, text) => rules.people.checkComment(issue, key, text),
    }),
    workspaces: createSimWorkspaces(code, forge.isMerged),
    host: createSimHost({
      time,
      faults,
      play(process) {
        rules.workers.started(world, process);
        const { LEGION_ISSUE = '', LEGION_PHASE } = process.order.env;
        if (LEGION_PHASE === 'retro') rules.board.checkRetro(LEGION_ISSUE);
        play(world, process);
      },
      onSignalled: (process, signal) => rules.workers.signalled(process, signal),
    }),
    agent: createSimAgent({ writtenAt, isHidden: () => faults.drawHidden('session') }),
    outboxes: new SimOutboxes(({ worker, who }, code) =>
      rules.journal.checkDroppedMessage(worker, who.attempt, code),
    ),
    sessionWritten: (session) => writtenAt.set(session, time.now()),
  };
  return world;
}

interface SimSessions {
  /** Time of the last write to each session. */
  readonly writtenAt: Map<SessionId, number>;
  /** Returns whether the sessions are currently unreadable. */
  readonly isHidden: () => boolean;
}

/**
 * Implements the agent port for simulated agents, whose output lines are the port's events as JSON.
 */
function createSimAgent({ writtenAt, isHidden }: SimSessions): Agent {
  const createLaunchSpec = (session: SessionId): LaunchSpec => ({
    argv: ['sim', session],
    env: { SIM_SESSION: session },
    stdin: '',
  });
  return {
    kind: 'sim',
    variables: [],
    receivesMessages: false,
    preflight: async () => ({ ready: true, version: '1' }),
    launch: createLaunchSpec,
    resume: createLaunchSpec,
    read: (line) => [JSON.parse(line) as AgentEvent],
    async session(session) {
      if (isHidden()) return 'unavailable';
      const at = writtenAt.get(session);
      return at === undefined ? 'missing' : { at };
    },
  };
}

/** `isMerged` returns whether the work at a commit has landed in the base. */
function createSimWorkspaces(code: SimRepository, isMerged: (sha: string) => boolean): Workspaces {
  const existing = new Set<IssueId>();
  const toWorkspace = (issue: IssueId) => ({ issue, path: `/sim/workspaces/${issue}`, branch: issue });
  return {
    kind: 'git-worktree',
    buildWorkerEnvironment: () => ({}),
    snapshot: async () => undefined,
    exportBranch: async (issue) => (existing.has(issue) ? toWorkspace(issue).path : undefined),
    locateChanges: async (issue) => (existing.has(issue) ? { folder: toWorkspace(issue).path } : undefined),
    async ensure(issue) {
      existing.add(issue);
      if (!code.heads.has(issue)) code.heads.set(issue, code.branches.get(issue) ?? code.base);
      return toWorkspace(issue);
    },
    find: async (issue) => (existing.has(issue) ? toWorkspace(issue) : undefined),
    async readStatus(issue): Promise<WorkspaceStatus | undefined> {
      return existing.has(issue) ? { head: code.heads.get(issue) ?? '', uncommitted: [] } : undefined;
    },
    async bringToBase(issue): Promise<BaseComparison | undefined> {
      const head = code.heads.get(issue);
      if (!existing.has(issue) || head === undefined) return undefined;
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
    changedAt: async (issue) => (existing.has(issue) ? (code.changedAt.get(issue) ?? 0) : undefined),
    list: async () => [...existing].sort().map(toWorkspace),
    async remove(issue): Promise<RemovalResult> {
      const head = code.heads.get(issue);
      const isKept = head === undefined || code.ahead(head).length === 0 || isMerged(head);
      if (existing.has(issue) && !isKept)
        return { removed: false, holds: [`neither merged nor pushed: ${head}`] };
      existing.delete(issue);
      code.heads.delete(issue);
      return { removed: true };
    },
    prune: async () => [],
  };
}
