/** Faults of a running legion: its daemon, its entry points, and the commands that set it up. */

export const DAEMON_FAULTS = {
  'daemon.running': {
    http: 409,
    nature: 'terminal',
    meaning: 'Another daemon is already running this legion. The message identifies it.',
    next: 'Use the running daemon, or stop it with `legion down`.',
  },
  'daemon.name_taken': {
    http: 409,
    nature: 'terminal',
    meaning: 'Another repository already uses this legion name. The message says where its `legion.yaml` is.',
    next: 'Choose another name (`legion:` in legion.yaml), or remove the other `legion.yaml` if this repository replaces it.',
  },
  'legion.unknown': {
    http: 404,
    nature: 'terminal',
    meaning: 'No legion with this name was set up or started on this machine. Nothing was done.',
    next: 'Use a name that `legion teams` lists.',
  },
  'daemon.not_running': {
    http: 503,
    nature: 'retryable',
    meaning: 'No daemon is running for this legion.',
    next: 'Start it with `legion up`.',
  },
  'daemon.unreachable': {
    http: 503,
    nature: 'retryable',
    meaning: 'The daemon did not respond at its recorded address.',
    next: 'Run `legion status` and read the daemon’s log. If the daemon has exited, start it again with `legion up`.',
  },
  'daemon.answer_unknown': {
    http: 502,
    nature: 'terminal',
    meaning: 'The daemon’s response has a format that this command does not understand.',
    next: 'The daemon probably runs a different version than this command. Run `legion restart`. If the error persists, report it together with the message.',
  },
  'daemon.start_failed': {
    http: 500,
    nature: 'terminal',
    meaning: 'The daemon exited before it was ready.',
    next: 'The message and the end of the daemon’s log give the cause. Fix the cause, then run `legion up` again.',
  },
  'daemon.stopping': {
    http: 503,
    nature: 'retryable',
    meaning: 'The daemon is shutting down and accepts no new requests.',
    next: 'Try again in a moment. If the daemon is restarting, its successor takes over.',
  },
  'daemon.state_unusable': {
    http: 500,
    nature: 'terminal',
    meaning: 'A file in the legion’s state directory cannot be read or written, or is not safe to use.',
    next: 'Fix the file that the message names: the file must belong to you, and other users must not be able to read it.',
  },
  'daemon.state_dangerous': {
    http: 500,
    nature: 'terminal',
    meaning: 'Other programs use the configured state directory, and Legion would lock them out of it.',
    next: 'Set XDG_STATE_HOME or HOME to a directory in which Legion can create a subdirectory of its own.',
  },
  'daemon.socket_untrusted': {
    http: 503,
    nature: 'terminal',
    meaning: 'Another user could be listening on the daemon’s socket, so the command sent nothing.',
    next: 'Fix the file or directory that the message names: the socket and its directory must belong to you, and the directory needs mode 0700. Then run `legion restart`.',
  },
  'daemon.socket_unusable': {
    http: 500,
    nature: 'terminal',
    meaning: 'The daemon cannot listen on its socket.',
    next: 'Fix the problem that the message describes, then run `legion up` again.',
  },
  'daemon.outdated': {
    http: 503,
    nature: 'terminal',
    meaning: 'The running daemon belongs to an older Legion version, which has no socket for commands.',
    next: 'Use `kill PID` to stop the process that the message names, then run `legion up`. The workers keep running.',
  },
  'daemon.defect': {
    http: 500,
    nature: 'terminal',
    meaning: 'An internal error occurred: this is a bug in Legion.',
    next: 'Report the error together with the daemon’s log. No acknowledged data is lost.',
  },
  'repository.missing': {
    http: 404,
    nature: 'terminal',
    meaning: 'The legion has no repository to work on.',
    next: 'Run `legion init` inside a git repository, or add a repository under `repos` in legion.yaml.',
  },
  'repository.unknown': {
    http: 409,
    nature: 'terminal',
    meaning:
      'The issue belongs to a repository that this legion does not work on, so nothing was done for it.',
    next: 'Add the repository under `repos` in legion.yaml and run `legion restart`, or remove the issue from the board.',
  },
  'init.exists': {
    http: 409,
    nature: 'terminal',
    meaning: 'The repository already has a legion.yaml.',
    next: 'Edit the existing legion.yaml, or pass --force to overwrite it.',
  },
  'demo.folder_taken': {
    http: 409,
    nature: 'terminal',
    meaning: 'The demo’s directory is not empty.',
    next: 'Choose another directory with --folder, or remove this directory.',
  },
  'demo.folder_unusable': {
    http: 500,
    nature: 'terminal',
    meaning: 'The demo could not write to its directory.',
    next: 'Fix the problem that the message describes, or choose another directory with --folder.',
  },
  'demo.repository_other': {
    http: 409,
    nature: 'terminal',
    meaning: 'The GitHub repository does not contain the demo’s sample project in its initial state.',
    next: 'Use a repository that contains the sample project and that no demo has used yet. `npm run github -- --demo` serves such a repository.',
  },
  'demo.team_busy': {
    http: 409,
    nature: 'terminal',
    meaning: 'The Linear team has open issues, and the demo’s workers would start to work on them.',
    next: 'Use a team without open issues. `npm run linear -- --demo` serves such a team.',
  },
  'demo.unfinished': {
    http: 500,
    nature: 'terminal',
    meaning: 'The demo ended before every issue was Done.',
    next: 'The summary names the unfinished issues. `legion explain` and the daemon’s log in the demo’s directory say why they did not finish.',
  },
  'demo.board_differs': {
    http: 500,
    nature: 'terminal',
    meaning: 'The daemon reports every demo issue as Done, but the board shows other statuses.',
    next: 'If no one changed the issues during the demo, this is a bug in Legion: report it together with the message.',
  },
  'demo.tests_failed': {
    http: 500,
    nature: 'terminal',
    meaning: 'Every demo issue is Done, but the sample project’s tests fail on its main branch.',
    next: 'Report this error together with the message: a merged change broke something that the gates should have caught.',
  },
} as const;

/** Faults of hosts and their processes. */
export const HOST_FAULTS = {
  'host.unsupported': {
    http: 501,
    nature: 'terminal',
    meaning: 'This machine lacks something that Legion needs to run workers.',
    next: 'Use a Linux machine that has /proc mounted and the programs that the message names installed.',
  },
  'platform.unsupported': {
    http: 501,
    nature: 'terminal',
    meaning: 'Legion does not run on this operating system yet.',
    next: 'Use a Linux machine, a Linux virtual machine or container, or WSL2 on Windows.',
  },
  'host.folder_missing': {
    http: 409,
    nature: 'terminal',
    meaning: 'The working directory of a process does not exist. Nothing was started.',
    next: 'Create the workspace again, then start the same attempt.',
  },
  'host.start_failed': {
    http: 503,
    nature: 'retryable',
    meaning: 'A process could not be started, or has not reported its start yet.',
    next: 'Start the same attempt again. An attempt runs at most once.',
  },
  'host.start_unknown': {
    http: 500,
    nature: 'terminal',
    meaning: 'The start of an attempt was interrupted before the attempt had a process.',
    next: 'Continue with a new attempt. The interrupted attempt will never be started again.',
  },
  'host.no_attempt': {
    http: 404,
    nature: 'terminal',
    meaning: 'This host never started the attempt.',
    next: 'Check the worker, the attempt and the state directory that the host was opened with.',
  },
  'host.command_failed': {
    http: 500,
    nature: 'terminal',
    meaning: 'One of the repository’s commands failed, and it must succeed before a worker starts.',
    next: 'Run the command from the message in the workspace to see why it fails. Then fix the repository, or the command in `.legion/config.yml`.',
  },
  'host.unavailable': {
    http: 503,
    nature: 'retryable',
    meaning:
      'The host’s files or processes could not be accessed. The state of its workers is therefore unknown.',
    next: 'Fix the cause in the message. Workers keep running.',
  },
} as const;

/** Faults of the terminal windows that show workers. */
export const VIEW_FAULTS = {
  'view.unavailable': {
    http: 503,
    nature: 'retryable',
    meaning: 'The terminal window for a worker could not be opened or reached. The worker keeps running.',
    next: 'Put tmux 3.2 or newer on the PATH, or use `legion view ISSUE`, which does not need tmux.',
  },
  'view.no_terminal': {
    http: 400,
    nature: 'terminal',
    meaning: 'You can attach to a worker’s window only from an interactive terminal.',
    next: 'Run the command in an interactive terminal, or use `legion view ISSUE` or `legion logs ISSUE --follow`, which work without one.',
  },
} as const;
