/** Every command by its name. A command is loaded when it is called: `legion worker` should not wait for a database. */
import type { Command } from '../command.ts';

/** In the order of `legion --help`. */
export const GROUPS = {
  begin: 'Begin',
  swarm: 'The swarm',
  board: 'The board',
  issue: 'One issue',
  upkeep: 'Upkeep',
  worker: 'Inside a worker',
} as const;

export interface Entry {
  readonly group: keyof typeof GROUPS;
  readonly summary: string;
  /** For programs, not for people: works like the others and is not in the help. */
  readonly hidden?: true;
  readonly load: () => Promise<Command>;
}

export const COMMANDS: Readonly<Record<string, Entry>> = {
  init: {
    group: 'begin',
    summary: 'begin a legion in this git repository',
    load: async () => (await import('../commands/init.ts')).init,
  },
  doctor: {
    group: 'begin',
    summary: 'look whether everything is fit for work',
    load: async () => (await import('../commands/doctor.ts')).doctor,
  },
  config: {
    group: 'begin',
    summary: 'check the configuration and where each value comes from',
    load: async () => (await import('../commands/config.ts')).config,
  },
  demo: {
    group: 'begin',
    summary: 'watch it work: a sample repository, six issues, real workers',
    load: async () => (await import('../commands/demo.ts')).demo,
  },
  up: {
    group: 'swarm',
    summary: 'start the daemon',
    load: async () => (await import('../commands/up.ts')).up,
  },
  down: {
    group: 'swarm',
    summary: 'end the daemon; asks whether running workers should stop',
    load: async () => (await import('../commands/down.ts')).down,
  },
  restart: {
    group: 'swarm',
    summary: 'let a new daemon take over; workers keep running',
    load: async () => (await import('../commands/down.ts')).restart,
  },
  halt: {
    group: 'swarm',
    summary: 'stop every worker at once and start none; `resume` ends it',
    load: async () => (await import('../commands/halt.ts')).halt,
  },
  status: {
    group: 'swarm',
    summary: 'the daemon, its room, and where each issue stands',
    load: async () => (await import('../commands/status.ts')).status,
  },
  open: {
    group: 'swarm',
    summary: 'the dashboard, in your browser',
    load: async () => (await import('../commands/open.ts')).open,
  },
  watch: {
    group: 'swarm',
    summary: 'see what happens, live',
    load: async () => (await import('../commands/watch.ts')).watch,
  },
  teams: {
    group: 'swarm',
    summary: 'every legion of this user, or the teams of Linear',
    load: async () => (await import('../commands/teams.ts')).teams,
  },
  issue: {
    group: 'board',
    summary: 'add, list, show, edit, comment, label, move, close',
    load: async () => (await import('../commands/issue.ts')).issue,
  },
  inbox: {
    group: 'board',
    summary: 'what waits for you',
    load: async () => (await import('../commands/inbox.ts')).inbox,
  },
  explain: {
    group: 'issue',
    summary: 'why it is, or is not, moving',
    load: async () => (await import('../commands/explain.ts')).explain,
  },
  gates: {
    group: 'issue',
    summary: 'what stands between it and its merge',
    load: async () => (await import('../commands/gates.ts')).gates,
  },
  ci: {
    group: 'issue',
    summary: 'its checks, with the ends of their logs',
    load: async () => (await import('../commands/ci.ts')).ci,
  },
  approve: {
    group: 'issue',
    summary: 'approve a specification, a merge, or a repository’s commands',
    load: async () => (await import('../commands/approve.ts')).approve,
  },
  answer: {
    group: 'issue',
    summary: 'answer the question of a worker',
    load: async () => (await import('../commands/answer.ts')).answer,
  },
  prompt: {
    group: 'issue',
    summary: 'say something to a worker',
    load: async () => (await import('../commands/prompt.ts')).prompt,
  },
  advance: {
    group: 'issue',
    summary: 'do the step that is due',
    load: async () => (await import('../commands/advance.ts')).advance,
  },
  dispatch: {
    group: 'issue',
    summary: 'start one worker by hand',
    load: async () => (await import('../commands/dispatch.ts')).dispatch,
  },
  logs: {
    group: 'issue',
    summary: 'what a worker wrote',
    load: async () => (await import('../commands/logs.ts')).logs,
  },
  view: {
    group: 'issue',
    summary: 'what a worker does, live; type to it',
    load: async () => (await import('../commands/view.ts')).view,
  },
  attach: {
    group: 'issue',
    summary: 'go to the tmux window that shows a worker',
    load: async () => (await import('../commands/attach.ts')).attach,
  },
  handoff: {
    group: 'issue',
    summary: 'what its phases left for each other',
    load: async () => (await import('../commands/handoff.ts')).handoff,
  },
  pause: {
    group: 'issue',
    summary: 'hold it; without an issue, the whole legion',
    load: async () => (await import('../commands/pause.ts')).pause,
  },
  resume: {
    group: 'issue',
    summary: 'end a hold; without an issue, that of the legion',
    load: async () => (await import('../commands/pause.ts')).resume,
  },
  stop: {
    group: 'issue',
    summary: 'stop its worker and hold it; --all stops every worker',
    load: async () => (await import('../commands/stop.ts')).stop,
  },
  'reset-crashes': {
    group: 'issue',
    summary: 'let a worker start again that failed too often',
    load: async () => (await import('../commands/reset-crashes.ts')).resetCrashes,
  },
  rollback: {
    group: 'issue',
    summary: 'open a pull request that reverts its merge',
    load: async () => (await import('../commands/rollback.ts')).rollback,
  },
  pr: {
    group: 'issue',
    summary: 'merge a pull request, such as a revert',
    load: async () => (await import('../commands/pr.ts')).pr,
  },
  gc: {
    group: 'upkeep',
    summary: 'remove what is left of issues that are over',
    load: async () => (await import('../commands/gc.ts')).gc,
  },
  skills: {
    group: 'upkeep',
    summary: 'what agents read; install it for sessions of your own',
    load: async () => (await import('../commands/skills.ts')).skills,
  },
  metrics: {
    group: 'upkeep',
    summary: 'figures for Prometheus',
    load: async () => (await import('../commands/metrics.ts')).metrics,
  },
  replay: {
    group: 'upkeep',
    summary: 'fold a journal again and show any moment of it',
    load: async () => (await import('../commands/replay.ts')).replay,
  },
  worker: {
    group: 'worker',
    summary: 'say something to the daemon: report, ask, hand off, push, review, merge',
    load: async () => (await import('../commands/worker.ts')).worker,
  },
  mcp: {
    group: 'worker',
    summary: 'the same as tools of an MCP server',
    load: async () => (await import('../commands/mcp.ts')).mcp,
  },
  'stop-hook': {
    group: 'worker',
    summary: 'remind an agent that ends its turn without a report',
    hidden: true,
    load: async () => (await import('../commands/stop-hook.ts')).stopHook,
  },
  drive: {
    group: 'worker',
    summary: 'hold a real agent’s session through its turns',
    hidden: true,
    load: async () => (await import('../commands/drive.ts')).drive,
  },
  scripted: {
    group: 'worker',
    summary: 'play one turn of the scripted agent',
    hidden: true,
    load: async () => (await import('../commands/scripted.ts')).scripted,
  },
};
