/** Faults that would stop every issue at the end of its pipeline; no worker starts while one of them stands. */
import type { Entries } from './entry.ts';

export const PREFLIGHT_FAULTS = {
  'preflight.unchecked': {
    http: 409,
    nature: 'terminal',
    meaning: 'Neither CI nor a quality gate would check a change, so that no issue could be merged.',
    next: 'Put `commands.quality_gate`, or on the local forge `commands.ci`, into .legion/config.yml (`legion init --commands` proposes them), commit it to the base branch and run `legion approve --commands`; on GitHub a workflow in .github/workflows does as well.',
  },
  'preflight.commands_unapproved': {
    http: 409,
    nature: 'terminal',
    meaning: 'The commands of the repository wait for the operator’s approval.',
    next: 'Read and approve them with `legion approve --commands`.',
  },
  'preflight.permission_missing': {
    http: 403,
    nature: 'terminal',
    meaning: 'The account of Legion may not do something that every issue needs.',
    next: 'Do what the message says, then `legion doctor` shows whether it helped; work starts by itself.',
  },
  'preflight.workspaces_elsewhere': {
    http: 409,
    nature: 'terminal',
    meaning:
      'Workspaces of the legion are in another folder than the one where it makes them now, and keep their branches.',
    next: 'Start Legion with the `XDG_DATA_HOME` or the `workspaces.root` of before, or remove these workspaces with `git worktree remove`.',
  },
  'baseline.failed': {
    http: 409,
    nature: 'terminal',
    meaning: 'The repository’s own commands fail on the base branch, before anybody has changed anything.',
    next: 'Mend the base branch; the baseline runs again when it moves. `legion up --ignore-baseline` starts workers all the same.',
  },
  'baseline.could_not_run': {
    http: 503,
    nature: 'terminal',
    meaning:
      'The repository’s own commands could not be run on the base branch; that says nothing about the code.',
    next: 'Install what the command needs, or correct it in .legion/config.yml; `legion up --rerun-baseline` tries again now.',
  },
} as const satisfies Entries;
