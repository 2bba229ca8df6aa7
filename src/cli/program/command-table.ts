/** Lists every command by name, in the order of the help. */
import type { CommandGroup, CommandTable } from './define-command.ts';

const SETUP = 'Setup';
const DAEMON = 'Daemon';
const ISSUES = 'Issues';
const DECISIONS = 'Decisions';
const INSPECTION = 'Inspection';
const WORKERS = 'Workers';
const AGENTS = 'For agents';
const GENERAL = 'General';

export const COMMANDS: CommandTable = {
  init: {
    heading: SETUP,
    summary: 'Set up a legion in this git repository',
    load: async () => (await import('../commands/setup/init.ts')).init,
  },
  doctor: {
    heading: SETUP,
    summary: 'Check the machine, the configuration and the services',
    load: async () => (await import('../commands/setup/doctor.ts')).doctor,
  },
  config: {
    heading: SETUP,
    summary: 'Check the configuration',
    load: async () => (await import('../commands/setup/config.ts')).config,
  },
  skills: {
    heading: SETUP,
    summary: 'Install Legion’s skills for your own agent sessions',
    load: async () => (await import('../commands/setup/skills.ts')).skills,
  },
  demo: {
    heading: SETUP,
    summary: 'Watch Legion finish six issues of a sample project',
    load: async () => (await import('../commands/setup/demo.ts')).demo,
  },
  up: {
    heading: DAEMON,
    summary: 'Start the daemon',
    load: async () => (await import('../commands/daemon/up.ts')).up,
  },
  start: {
    heading: DAEMON,
    summary: 'Start the daemon, like `up`',
    load: async () => (await import('../commands/daemon/up.ts')).start,
  },
  down: {
    heading: DAEMON,
    summary: 'Stop the daemon',
    load: async () => (await import('../commands/daemon/down.ts')).down,
  },
  restart: {
    heading: DAEMON,
    summary: 'Replace the daemon with a new one; workers keep running',
    load: async () => (await import('../commands/daemon/down.ts')).restart,
  },
  status: {
    heading: DAEMON,
    summary: 'Show the daemon and the state of each issue',
    load: async () => (await import('../commands/daemon/status.ts')).status,
  },
  watch: {
    heading: DAEMON,
    summary: 'Follow events live',
    load: async () => (await import('../commands/daemon/watch.ts')).watch,
  },
  open: {
    heading: DAEMON,
    summary: 'Open the dashboard in your browser',
    load: async () => (await import('../commands/daemon/open.ts')).open,
  },
  halt: {
    heading: DAEMON,
    summary: 'Stop every worker now and start no new ones',
    load: async () => (await import('../commands/daemon/halt.ts')).halt,
  },
  teams: {
    heading: DAEMON,
    summary: 'List your legions, or your Linear teams',
    load: async () => (await import('../commands/daemon/teams.ts')).teams,
  },
  issue: {
    heading: ISSUES,
    summary: 'Read and edit the board',
    load: async () => (await import('../commands/issues/issue.ts')).issue,
  },
  pause: {
    heading: ISSUES,
    summary: 'Hold an issue, or the whole legion',
    load: async () => (await import('../commands/issues/pause.ts')).pause,
  },
  resume: {
    heading: ISSUES,
    summary: 'Release an issue, or the whole legion',
    load: async () => (await import('../commands/issues/pause.ts')).resume,
  },
  rollback: {
    heading: ISSUES,
    summary: 'Open a pull request that reverts an issue',
    load: async () => (await import('../commands/issues/rollback.ts')).rollback,
  },
  inbox: {
    heading: DECISIONS,
    summary: 'List what is waiting for you',
    load: async () => (await import('../commands/decisions/inbox.ts')).inbox,
  },
  approve: {
    heading: DECISIONS,
    summary: 'Approve a specification, a merge or commands',
    load: async () => (await import('../commands/decisions/approve.ts')).approve,
  },
  reject: {
    heading: DECISIONS,
    summary: 'Send a specification, plan or merge back',
    load: async () => (await import('../commands/decisions/reject.ts')).reject,
  },
  answer: {
    heading: DECISIONS,
    summary: 'Answer a worker’s question',
    load: async () => (await import('../commands/decisions/answer.ts')).answer,
  },
  pr: {
    heading: DECISIONS,
    summary: 'Merge a pull request of the local forge',
    load: async () => (await import('../commands/decisions/pr.ts')).pr,
  },
  explain: {
    heading: INSPECTION,
    summary: 'Explain why an issue is or is not moving',
    load: async () => (await import('../commands/inspection/explain.ts')).explain,
  },
  gates: {
    heading: INSPECTION,
    summary: 'Show the conditions for a merge',
    load: async () => (await import('../commands/inspection/gates.ts')).gates,
  },
  diff: {
    heading: INSPECTION,
    summary: 'Show the changes made for an issue',
    load: async () => (await import('../commands/inspection/diff.ts')).diff,
  },
  ci: {
    heading: INSPECTION,
    summary: 'Show the checks of a pull request and their logs',
    load: async () => (await import('../commands/inspection/ci.ts')).ci,
  },
  metrics: {
    heading: INSPECTION,
    summary: 'Print metrics for Prometheus',
    load: async () => (await import('../commands/inspection/metrics.ts')).metrics,
  },
  replay: {
    heading: INSPECTION,
    summary: 'Show the state in a journal at a given moment',
    load: async () => (await import('../commands/inspection/replay.ts')).replay,
  },
  view: {
    heading: WORKERS,
    summary: 'Watch a worker live and send it messages',
    load: async () => (await import('../commands/workers/view.ts')).view,
  },
  attach: {
    heading: WORKERS,
    summary: 'Attach to the tmux window of a worker',
    load: async () => (await import('../commands/workers/attach.ts')).attach,
  },
  logs: {
    heading: WORKERS,
    summary: 'Print the output of a worker',
    load: async () => (await import('../commands/workers/logs.ts')).logs,
  },
  prompt: {
    heading: WORKERS,
    summary: 'Send a message to a worker',
    load: async () => (await import('../commands/workers/prompt.ts')).prompt,
  },
  stop: {
    heading: WORKERS,
    summary: 'Stop a worker and hold its issue',
    load: async () => (await import('../commands/workers/stop.ts')).stop,
  },
  advance: {
    heading: WORKERS,
    summary: 'Run the next due step of an issue',
    load: async () => (await import('../commands/workers/advance.ts')).advance,
  },
  dispatch: {
    heading: WORKERS,
    summary: 'Start one worker manually',
    load: async () => (await import('../commands/workers/dispatch.ts')).dispatch,
  },
  'reset-crashes': {
    heading: WORKERS,
    summary: 'Allow a worker to start again after too many crashes',
    load: async () => (await import('../commands/workers/reset-crashes.ts')).resetCrashes,
  },
  prune: {
    heading: WORKERS,
    summary: 'Delete the records of finished issues',
    load: async () => (await import('../commands/workers/prune.ts')).prune,
  },
  gc: {
    heading: WORKERS,
    summary: 'Remove workspaces of finished issues',
    load: async () => (await import('../commands/workers/gc.ts')).gc,
  },
  worker: {
    heading: AGENTS,
    summary: 'Talk to the daemon from inside a worker',
    load: async () => (await import('../commands/agents/worker.ts')).worker,
  },
  handoff: {
    heading: AGENTS,
    summary: 'Read and write handoffs between phases',
    load: async () => (await import('../commands/agents/handoff.ts')).handoff,
  },
  mcp: {
    heading: AGENTS,
    summary: 'Serve the commands of a worker as MCP tools',
    load: async () => (await import('../commands/agents/mcp.ts')).mcp,
  },
  completion: {
    heading: GENERAL,
    summary: 'Print the completion script of a shell',
    load: async () => (await import('../commands/general/completion.ts')).completion,
  },
  version: {
    heading: GENERAL,
    summary: 'Print the version',
    load: async () => (await import('../commands/general/version.ts')).versionCommand,
  },
  'stop-hook': {
    hidden: true,
    summary: 'Remind an agent that ends its turn without a report',
    load: async () => (await import('../commands/agents/stop-hook.ts')).stopHook,
  },
  drive: {
    hidden: true,
    summary: 'Run the session of a real agent',
    load: async () => (await import('../commands/agents/drive.ts')).drive,
  },
  scripted: {
    hidden: true,
    summary: 'Play one turn of the scripted agent',
    load: async () => (await import('../commands/agents/scripted.ts')).scripted,
  },
};

export const ROOT: CommandGroup = {
  description: 'Legion runs a swarm of coding agents that takes issues from a board to merged pull requests.',
  members: COMMANDS,
};
