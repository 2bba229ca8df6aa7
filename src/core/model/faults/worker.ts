/** Faults of workers: their dispatch, their verbs, their agents and their budgets. */

export const WORKER_FAULTS = {
  'worker.unknown': {
    http: 404,
    nature: 'terminal',
    meaning: 'The worker does not exist.',
    next: 'Run `legion status` to list the workers. A worker’s id consists of its issue and its mode, such as demo-1-implement.',
  },
  'worker.exists': {
    http: 409,
    nature: 'terminal',
    meaning: 'The issue already has a running worker in this mode.',
    next: 'Wait until that worker reports, send it a message with `legion prompt`, or stop it first with `legion stop`.',
  },
  'worker.out_of_order': {
    http: 422,
    nature: 'terminal',
    meaning: 'A different step is due for the issue. The message says which one.',
    next: 'Run the due step with `legion advance`. An operator can start this worker anyway with --force.',
  },
  'worker.crash_limit': {
    http: 429,
    nature: 'terminal',
    meaning: 'The worker has reached its crash limit.',
    next: 'Find the cause with `legion explain`, then run `legion reset-crashes`.',
  },
  'worker.backing_off': {
    http: 503,
    nature: 'retryable',
    meaning:
      'The worker failed a moment ago and starts again only after a delay, which grows with each failure.',
    next: 'Wait until the time in `retryAt`, or run `legion reset-crashes` if the cause is fixed.',
  },
  'worker.no_capacity': {
    http: 503,
    nature: 'retryable',
    meaning:
      'No worker can start at the moment: all slots are taken, starts are paused, or the machine is short of memory or disk space.',
    next: 'Wait for a free slot, raise `limits.workers`, or run `legion resume` if starts are paused.',
  },
  'worker.env_refused': {
    http: 422,
    nature: 'terminal',
    meaning:
      'A worker cannot be given a variable that decides which code its programs load or which identity they use.',
    next: 'Remove the variable that the message names. If a tool needs the setting, put it into the tool’s configuration in the repository.',
  },
  'worker.operator_command': {
    http: 403,
    nature: 'terminal',
    meaning: 'A worker ran a command that only operators may use. Nothing was done.',
    next: 'Use the verb that the message suggests. If a person has to decide, ask with `legion worker ask`.',
  },
  'worker.gate_running': {
    http: 503,
    nature: 'retryable',
    meaning: 'The quality gate is still running on the commit that you want to report as done or to merge.',
    next: 'Call `done` or `merge` again: the call waits for the same run of the gate. Do not change anything until the gate has finished.',
  },
  'worker.attempt_over': {
    http: 409,
    nature: 'terminal',
    meaning: 'The calling attempt is over: it was stopped, or a newer attempt has replaced it.',
    next: 'End your turn, because Legion ignores further reports. Your earlier reports are kept.',
  },
  'worker.ended': {
    http: 409,
    nature: 'terminal',
    meaning:
      'The worker has ended, or another worker of its issue is running, so the message was not delivered.',
    next: 'Run `legion view ISSUE` to talk to the running worker, or `legion prompt ISSUE --mode MODE "…"` to restart the worker that has ended.',
  },
  'worker.not_for_mode': {
    http: 403,
    nature: 'terminal',
    meaning: 'Workers in this mode cannot use this verb.',
    next: 'Do the work of your mode, and report with `done`, `error` or `ask`.',
  },
  'worker.not_ready': {
    http: 409,
    nature: 'terminal',
    meaning: 'Something that the verb needs is missing, such as a pushed commit or a pull request.',
    next: 'Do what the message asks for, then try again.',
  },
  'message.no_recipient': {
    http: 404,
    nature: 'terminal',
    meaning: 'The recipient of a message is not an existing worker.',
    next: 'Send to a worker id such as demo-1-implement, or write to people with `legion worker comment`.',
  },
  'merge.refused': {
    http: 409,
    nature: 'terminal',
    meaning:
      'At least one merge condition is not met at this commit. The message lists the conditions that are not met.',
    next: 'Fix what you can fix in the workspace and try again. If a condition cannot be met from the workspace, report an error.',
  },
  'speech.not_a_worker': {
    http: 400,
    nature: 'terminal',
    meaning: 'The command is for workers only and was run outside a worker’s environment.',
    next: 'Only processes that Legion started as workers can run `legion worker`. As an operator, use the other commands that `legion --help` lists.',
  },
  'speech.daemon_away': {
    http: 503,
    nature: 'retryable',
    meaning: 'The daemon could not be reached, and this verb needs the daemon’s response.',
    next: 'Try again in a moment. Do not repeat reports: they wait in the outbox until the daemon is back.',
  },
  'speech.outbox_failed': {
    http: 500,
    nature: 'retryable',
    meaning: 'The daemon could not be reached, and the report could not be saved either.',
    next: 'Free some disk space, then report again.',
  },
  'speech.outbox_unusable': {
    http: 500,
    nature: 'retryable',
    meaning: 'A worker’s outbox cannot be read or changed. The messages in the outbox are kept.',
    next: 'Give the user running Legion permission to read and change the directory that the message names. Legion retries by itself.',
  },
  'speech.outbox_unwatched': {
    http: 503,
    nature: 'retryable',
    meaning:
      'The outboxes of running workers cannot be watched, so the daemon reads them every few seconds instead.',
    next: 'Raise the limit on file watches, for example with `sysctl fs.inotify.max_user_watches=524288`. Legion retries by itself.',
  },
  'speech.message_set_aside': {
    http: 409,
    nature: 'terminal',
    meaning:
      'A message in a worker’s outbox can never be processed, so Legion set it aside. The other messages were processed.',
    next: 'Read the files that this error names and act on what matters in them. Then delete each file together with the file next to it that gives the reason.',
  },
  'agent.not_ready': {
    http: 503,
    nature: 'retryable',
    meaning: 'The agent’s program or login is missing.',
    next: 'Do what the message says, then check with `legion doctor`.',
  },
  'agent.not_chosen': {
    http: 503,
    nature: 'terminal',
    meaning: 'No agent is configured, so no worker can start.',
    next: 'Run `legion init`, or set `agents.default.agent` in legion.yaml to claude-code, opencode or codex.',
  },
  'agent.not_installed': {
    http: 400,
    nature: 'terminal',
    meaning: 'The requested agent is not installed on this machine, or no agent is. Nothing was written.',
    next: 'Install an agent with the command in the message, log in, then run `legion init` again.',
  },
  'agent.ambiguous': {
    http: 400,
    nature: 'terminal',
    meaning: 'Several agents are available, and none was chosen.',
    next: 'Choose one of them with `legion init --agent claude-code`, `--agent opencode` or `--agent codex`.',
  },
  'agent.scripted_not_allowed': {
    http: 400,
    nature: 'terminal',
    meaning: 'The scripted agent is configured outside `legion demo` without `scripted: allowed`.',
    next: 'Choose a real agent in `agents` (claude-code, opencode or codex). To try the scripted agent, run `legion demo` or add `scripted: allowed` to legion.yaml.',
  },
  'budget.day_spent': {
    http: 503,
    nature: 'retryable',
    meaning:
      'The workers’ daily budget is spent. Legion has stopped all workers and does not start new ones.',
    next: 'Wait until midnight (local time), or raise `budgets.day` in legion.yaml (`none` means unlimited).',
  },
  'budget.zero': {
    http: 503,
    nature: 'terminal',
    meaning: 'A budget is 0, so no worker starts.',
    next: 'In legion.yaml, raise the budget that the message names, or set it to `none`.',
  },
  'agent.session_unknown': {
    http: 404,
    nature: 'terminal',
    meaning: 'The agent was asked to continue a session that it does not have.',
    next: 'Start a new session. The worker’s last checkpoint shows how far the work has got.',
  },
  'agent.session_taken': {
    http: 409,
    nature: 'terminal',
    meaning: 'The agent was asked to start a session that already exists.',
    next: 'Continue the existing session, or start a session with a new version number.',
  },
  'agent.failed': {
    http: 502,
    nature: 'retryable',
    meaning: 'The agent could not finish its turn. The message contains the agent’s error text.',
    next: 'Read the worker’s output with `legion logs`. If the provider rejects the requests, fix the login or the model in `agents`.',
  },
  'agent.stuck': {
    http: 502,
    nature: 'retryable',
    meaning: 'One of the agent’s processes did not stop when Legion asked it to.',
    next: 'Nothing to do: Legion stops the whole worker and then continues its session. If this error occurs again, check the process that the message names.',
  },
  'scenario.invalid': {
    http: 400,
    nature: 'terminal',
    meaning: 'A scenario of the scripted agent is malformed.',
    next: 'Fix the step that the message names. docs/scenarios.md lists every step.',
  },
  'scenario.unreadable': {
    http: 400,
    nature: 'terminal',
    meaning: 'A scenario file cannot be read.',
    next: 'Set the scripted agent’s `model` to the path of a readable YAML or JSON file.',
  },
  'scenario.step_failed': {
    http: 500,
    nature: 'terminal',
    meaning: 'A step of a scenario could not be run in the workspace.',
    next: 'Fix the step that the message names, or the state of the workspace.',
  },
  'scenario.outside': {
    http: 400,
    nature: 'terminal',
    meaning:
      'A step of a scenario tried to access something outside the workspace, or inside the `.git` directory.',
    next: 'Use a relative path to a file in the workspace. The path must not lead out of the workspace through a symbolic link.',
  },
} as const;

/** Faults of workspaces. */
export const WORKSPACE_FAULTS = {
  'workspace.not_a_repository': {
    http: 400,
    nature: 'terminal',
    meaning: 'The configured directory is not a git repository.',
    next: 'Use the top directory of a clone, or a bare repository.',
  },
  'workspace.no_commit': {
    http: 409,
    nature: 'terminal',
    meaning: 'The repository has no commit yet, so no branch can be created.',
    next: 'Create a first commit on the main branch (git commit --allow-empty -m "Begin"). If the repository is on GitHub, push it.',
  },
  'workspace.base_missing': {
    http: 409,
    nature: 'terminal',
    meaning: 'The base branch, from which workspaces are created, was not found.',
    next: 'Configure an existing branch as the base, or fetch the missing branch.',
  },
  'workspace.branch_taken': {
    http: 409,
    nature: 'terminal',
    meaning: 'The issue’s branch is the base branch, or is checked out in another directory.',
    next: 'Check out another branch in the directory that the message names, or give the issue another id.',
  },
  'workspace.foreign': {
    http: 409,
    nature: 'terminal',
    meaning:
      'Something that is not a workspace of this legion exists at the workspace’s path. Legion did not touch it.',
    next: 'Check what exists at the path that the message names, then move it away.',
  },
  'workspace.outside': {
    http: 409,
    nature: 'terminal',
    meaning:
      'The workspace’s path leads out of the directory for workspaces through a symbolic link. Nothing was changed.',
    next: 'Find out what created the link, then remove the link.',
  },
  'workspace.other_repository': {
    http: 409,
    nature: 'terminal',
    meaning: 'The issue already has a workspace in another repository.',
    next: 'Remove the existing workspace first, or specify the repository that it belongs to.',
  },
  'workspace.busy': {
    http: 503,
    nature: 'retryable',
    meaning: 'Another process took too long to create or remove a workspace of this repository.',
    next: 'Try again. If the error persists, check the process that the message names.',
  },
  'workspace.holds_work': {
    http: 409,
    nature: 'terminal',
    meaning: 'The workspace contains work that is neither merged nor pushed. Nothing was removed.',
    next: 'Push or merge what the message names, or remove the workspace manually if the work is not needed.',
  },
  'workspace.full': {
    http: 507,
    nature: 'retryable',
    meaning: 'The disk is full. The next attempt cleans up the partial workspace.',
    next: 'Free some disk space. Legion continues by itself.',
  },
  'workspace.unavailable': {
    http: 503,
    nature: 'retryable',
    meaning: 'A workspace’s directory or its repository could not be read or written.',
    next: 'Fix the cause in the message. No work was removed.',
  },
  'jj.missing': {
    http: 500,
    nature: 'terminal',
    meaning: 'The jj program was not found, but `workspaces.kind` is `jj`.',
    next: 'Install jj 0.46 or newer and put it on the daemon’s PATH, or set `workspaces.kind: git-worktree`.',
  },
  'jj.too_old': {
    http: 500,
    nature: 'terminal',
    meaning: 'The installed jj is too old for jj workspaces.',
    next: 'Install jj 0.46 or newer, or set `workspaces.kind: git-worktree`.',
  },
  'jj.git_too_old': {
    http: 500,
    nature: 'terminal',
    meaning: 'The installed git is too old for jj workspaces.',
    next: 'Install git 2.39 or newer, or set `workspaces.kind: git-worktree`.',
  },
  'jj.failed': {
    http: 500,
    nature: 'retryable',
    meaning: 'A jj command failed or took too long.',
    next: 'Fix the cause in the message. No work was removed; `jj op log` shows every recorded state.',
  },
  'jj.colocated': {
    http: 409,
    nature: 'terminal',
    meaning:
      'The repository is a jj repository colocated with git, whose own jj would rewrite the branches of issues. Nothing was changed.',
    next: 'Configure a plain git clone as the repository’s `path`, or set `workspaces.kind: git-worktree`.',
  },
  'jj.conflicted': {
    http: 409,
    nature: 'terminal',
    meaning:
      'Commits of the issue contain unresolved conflicts, so they cannot be pushed. Nothing was changed.',
    next: 'Run `jj resolve --list`, edit the conflict markers away in these files, run `jj squash`, and push again.',
  },
  'jj.undescribed': {
    http: 409,
    nature: 'terminal',
    meaning: 'Commits of the issue have no description, so they cannot be pushed. Nothing was changed.',
    next: 'Describe each commit that the message names (jj describe -r COMMIT -m "…"), and push again.',
  },
  'jj.bookmark_diverged': {
    http: 409,
    nature: 'terminal',
    meaning: 'The issue’s bookmark points to several commits at once. All of them still exist.',
    next: 'Bring the work together in one commit (`jj rebase`), run `jj bookmark set ISSUE -r @-` in the workspace, and try again.',
  },
} as const;
