/** Faults of workers: dispatching them, and what they say. */
import type { Entries } from './entry.ts';

export const WORKER_FAULTS = {
  'worker.unknown': {
    http: 404,
    nature: 'terminal',
    meaning: 'There is no such worker.',
    next: 'Look at `legion status`; a worker’s id is its issue and its mode, such as demo-1-implement.',
  },
  'worker.exists': {
    http: 409,
    nature: 'terminal',
    meaning: 'A worker of this issue and mode is at it already.',
    next: 'Wait for its report, prompt it, or stop it first.',
  },
  'worker.out_of_order': {
    http: 422,
    nature: 'terminal',
    meaning: 'Another step is due for the issue; the message names it.',
    next: 'Let the due step happen (`legion advance`), or pass --force as the operator.',
  },
  'worker.crash_limit': {
    http: 429,
    nature: 'terminal',
    meaning: 'The worker has failed as often as is allowed.',
    next: 'Look at why with `legion explain`, then `legion reset-crashes`.',
  },
  'worker.no_capacity': {
    http: 503,
    nature: 'retryable',
    meaning:
      'No worker may start now: all places are taken, starts are paused, or the machine has too little room.',
    next: 'Wait for a place, raise `limits.workers`, or `legion resume` where starts are paused.',
  },
  'worker.env_refused': {
    http: 422,
    nature: 'terminal',
    meaning:
      'A variable that decides which code a worker’s programs load, or who they are, cannot be given to a worker.',
    next: 'Leave the variable out that the message names. What a tool needs belongs into the repository’s own configuration.',
  },
  'worker.operator_command': {
    http: 403,
    nature: 'terminal',
    meaning: 'A worker called a command that only an operator may use; nothing was done.',
    next: 'Use the verb that the message names. Where a person has to decide, ask with `legion worker ask`.',
  },
  'worker.gate_running': {
    http: 503,
    nature: 'retryable',
    meaning: 'The quality gate is still running at the commit to report as done or to merge.',
    next: 'Call `done` or `merge` again: it attaches to the same run. Change nothing meanwhile.',
  },
  'worker.attempt_over': {
    http: 409,
    nature: 'terminal',
    meaning: 'The attempt that speaks is over; another one has taken its place, or it was stopped.',
    next: 'End your turn: nothing you say counts any more. What you reported is kept.',
  },
  'worker.ended': {
    http: 409,
    nature: 'terminal',
    meaning: 'The worker has ended, or another worker of its issue is working, so it was not told anything.',
    next: 'Run `legion view ISSUE` to talk to the worker that is working, or `legion prompt ISSUE --mode MODE "…"` to start this one again.',
  },
  'worker.not_for_mode': {
    http: 403,
    nature: 'terminal',
    meaning: 'This verb is not for workers of this mode.',
    next: 'Do what your mode is for, and report with `done`, `error` or `ask`.',
  },
  'worker.not_ready': {
    http: 409,
    nature: 'terminal',
    meaning: 'What the verb needs is not there yet, such as a pushed commit or a pull request.',
    next: 'Do first what the message names, then try again.',
  },
  'message.no_recipient': {
    http: 404,
    nature: 'terminal',
    meaning: 'The recipient of a message is not a worker that exists.',
    next: 'Send to a worker id such as demo-1-implement, or write for people with `legion worker comment`.',
  },
  'merge.refused': {
    http: 409,
    nature: 'terminal',
    meaning: 'A condition of the merge does not hold at this commit; the message lists which.',
    next: 'Mend what can be mended from the workspace and try again; otherwise report an error.',
  },
  'speech.not_a_worker': {
    http: 400,
    nature: 'terminal',
    meaning: 'The command is for workers and found no worker’s environment.',
    next: 'It works in processes Legion has started; operators use the other commands.',
  },
  'speech.daemon_away': {
    http: 503,
    nature: 'retryable',
    meaning: 'The daemon could not be reached, and this verb needs its answer.',
    next: 'Try again in a moment; reports are kept in the outbox and need no second try.',
  },
  'speech.outbox_failed': {
    http: 500,
    nature: 'retryable',
    meaning: 'The daemon could not be reached and the report could not be kept either.',
    next: 'Free some disk space and report again.',
  },
  'speech.outbox_unusable': {
    http: 500,
    nature: 'retryable',
    meaning: 'The outbox of a worker cannot be read or changed; what it holds waits there.',
    next: 'Give the user Legion runs as the right to read and change the folder the message names; it is tried again.',
  },
  'speech.outbox_unwatched': {
    http: 503,
    nature: 'retryable',
    meaning: 'The outboxes of running workers cannot be watched; they are read every few seconds instead.',
    next: 'Raise the limit of file watches, such as `sysctl fs.inotify.max_user_watches=524288`; it is tried again.',
  },
  'speech.message_set_aside': {
    http: 409,
    nature: 'terminal',
    meaning:
      'A message in a worker’s outbox can never be taken in; it was set aside, and the others went on.',
    next: 'Read the files the message names, act on what matters, then delete them together with their reasons.',
  },
  'agent.not_ready': {
    http: 503,
    nature: 'retryable',
    meaning: 'The agent’s program or login is missing.',
    next: 'Do what the message says, then `legion doctor` shows whether it is there.',
  },
  'agent.not_chosen': {
    http: 503,
    nature: 'terminal',
    meaning: 'No agent is chosen, so no worker can start.',
    next: 'Run `legion init`, or set `agents.default.agent` in legion.yaml to claude-code, opencode or codex.',
  },
  'agent.not_installed': {
    http: 400,
    nature: 'terminal',
    meaning: 'No agent, or not the named one, is installed on this machine; nothing was written.',
    next: 'Install one with the command in the message, log in, then run `legion init` again.',
  },
  'agent.ambiguous': {
    http: 400,
    nature: 'terminal',
    meaning: 'Several agents could work, and nobody said which one is to.',
    next: 'Name one: `legion init --agent claude-code`, `--agent opencode` or `--agent codex`.',
  },
  'agent.scripted_not_allowed': {
    http: 400,
    nature: 'terminal',
    meaning: 'The scripted agent is configured outside `legion demo` without `scripted: allowed`.',
    next: 'Choose a real agent in `agents` (claude-code, opencode or codex). To try the scripted one, run `legion demo` or add `scripted: allowed` to legion.yaml.',
  },
  'budget.day_spent': {
    http: 503,
    nature: 'retryable',
    meaning: 'What all workers may spend in a day is spent; running turns have ended and nothing starts.',
    next: 'Wait for local midnight, or raise `budgets.day` in legion.yaml (`none` is unlimited).',
  },
  'budget.zero': {
    http: 503,
    nature: 'terminal',
    meaning: 'A budget is 0, so that nothing starts.',
    next: 'Raise the budget that the message names in legion.yaml, or set it to `none`.',
  },
  'agent.session_unknown': {
    http: 404,
    nature: 'terminal',
    meaning: 'An agent was to continue a session that it does not have.',
    next: 'Start the session afresh; the checkpoint says where the work stands.',
  },
  'agent.session_taken': {
    http: 409,
    nature: 'terminal',
    meaning: 'An agent was to begin a session that is already there.',
    next: 'Continue the session instead, or begin another version of it.',
  },
  'agent.failed': {
    http: 502,
    nature: 'retryable',
    meaning: 'The agent could not finish its turn; the message has its own words.',
    next: 'Look at `legion logs` of the worker; where the provider refuses it, mend the login or the model in `agents`.',
  },
  'agent.stuck': {
    http: 502,
    nature: 'retryable',
    meaning: 'A part of the agent did not end although it was told to.',
    next: 'Nothing: the whole worker is stopped and its session goes on. If it repeats, look at the process it names.',
  },
  'scenario.invalid': {
    http: 400,
    nature: 'terminal',
    meaning: 'A scenario of the scripted agent does not have the expected form.',
    next: 'Correct the place the message names; docs/scenarios.md lists every step.',
  },
  'scenario.unreadable': {
    http: 400,
    nature: 'terminal',
    meaning: 'A scenario file cannot be read.',
    next: 'Give the path of a readable YAML or JSON file as the scripted agent’s `model`.',
  },
  'scenario.step_failed': {
    http: 500,
    nature: 'terminal',
    meaning: 'A step of a scenario could not be carried out in the workspace.',
    next: 'Correct the step the message names, or what it met in the workspace.',
  },
  'scenario.outside': {
    http: 400,
    nature: 'terminal',
    meaning:
      'A step of a scenario would have touched something outside of the workspace, or git’s own folder.',
    next: 'Name a file inside of the workspace, by a relative path without links that lead out.',
  },
} as const satisfies Entries;
