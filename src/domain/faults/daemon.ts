/** Faults of a running legion: its daemon, its doors, and what operators ask of it. */
import type { Entries } from './entry.ts';

export const DAEMON_FAULTS = {
  'daemon.running': {
    http: 409,
    nature: 'terminal',
    meaning: 'Another daemon leads this legion; the message says which.',
    next: 'Use the one that runs, or stop it with `legion down`.',
  },
  'daemon.name_taken': {
    http: 409,
    nature: 'terminal',
    meaning: 'Another repository started a legion of this name; the message says where its `legion.yaml` is.',
    next: 'Give this legion another name (`legion:` in legion.yaml), or remove the other `legion.yaml` if this repository replaces it.',
  },
  'legion.unknown': {
    http: 404,
    nature: 'terminal',
    meaning: 'No legion of this name was set up or started on this machine; nothing was done.',
    next: 'Use a name that `legion teams` lists.',
  },
  'daemon.not_running': {
    http: 503,
    nature: 'retryable',
    meaning: 'No daemon leads this legion.',
    next: 'Start it with `legion up`.',
  },
  'daemon.unreachable': {
    http: 503,
    nature: 'retryable',
    meaning: 'The daemon did not answer at the address it gave.',
    next: 'Look at `legion status` and at the daemon’s log; `legion up` starts it again if it is gone.',
  },
  'daemon.answer_unknown': {
    http: 502,
    nature: 'terminal',
    meaning: 'The daemon answered in a form this command does not know.',
    next: 'They are of different versions: run `legion restart`; if it stays so, report it with the message.',
  },
  'daemon.start_failed': {
    http: 500,
    nature: 'terminal',
    meaning: 'The daemon ended before it was ready.',
    next: 'Read the reason in the message and the end of the daemon’s log, mend it, and run `legion up` again.',
  },
  'daemon.stopping': {
    http: 503,
    nature: 'retryable',
    meaning: 'The daemon is about to end and takes nothing new.',
    next: 'Try again in a moment; a restarted daemon takes over.',
  },
  'daemon.state_unusable': {
    http: 500,
    nature: 'terminal',
    meaning: 'A file in the legion’s state folder cannot be read, trusted or written.',
    next: 'Mend what the message names: the file must belong to you and be readable by nobody else.',
  },
  'daemon.state_dangerous': {
    http: 500,
    nature: 'terminal',
    meaning: 'The state folder would be one that other programs need, and Legion would close it to them.',
    next: 'Set XDG_STATE_HOME, or HOME, to a folder in which Legion may make its own.',
  },
  'daemon.socket_untrusted': {
    http: 503,
    nature: 'terminal',
    meaning: 'Another user could be listening on the daemon’s socket; nothing was sent to it.',
    next: 'Correct what the message names: folder and socket must be yours, the folder with mode 0700. Then run `legion restart`.',
  },
  'daemon.socket_unusable': {
    http: 500,
    nature: 'terminal',
    meaning: 'The daemon cannot listen on its socket.',
    next: 'Correct what the message names, then run `legion up` again.',
  },
  'daemon.outdated': {
    http: 503,
    nature: 'terminal',
    meaning: 'The running daemon belongs to an older Legion, which has no socket for commands.',
    next: 'End the process that the message names with `kill PID`, then run `legion up`. Its workers continue.',
  },
  'daemon.defect': {
    http: 500,
    nature: 'terminal',
    meaning: 'Something happened that should be impossible.',
    next: 'Report it with the daemon’s log; nothing that was acknowledged is lost.',
  },
  'repository.missing': {
    http: 404,
    nature: 'terminal',
    meaning: 'There is no repository to work on.',
    next: 'Run `legion init` inside a git repository, or name one under `repos` in legion.yaml.',
  },
  'repository.unknown': {
    http: 409,
    nature: 'terminal',
    meaning: 'The issue belongs to a repository this legion does not work on; nothing was done for it.',
    next: 'Add the repository under `repos` in legion.yaml and run `legion restart`, or take the issue off the board.',
  },
  'init.exists': {
    http: 409,
    nature: 'terminal',
    meaning: 'The repository already has a legion.yaml.',
    next: 'Edit it, or pass --force to write it anew.',
  },
  'demo.folder_taken': {
    http: 409,
    nature: 'terminal',
    meaning: 'The folder for the demo is not empty.',
    next: 'Name another folder, or remove it.',
  },
  'demo.folder_unusable': {
    http: 500,
    nature: 'terminal',
    meaning: 'The demo could not write into its folder.',
    next: 'Mend what the message names, or name another folder with --folder.',
  },
  'demo.repository_other': {
    http: 409,
    nature: 'terminal',
    meaning: 'The repository on GitHub does not hold the demo’s sample project as it is before a demo.',
    next: 'Name one that does; `npm run github -- --demo` serves one, and a second demo needs a new one.',
  },
  'demo.team_busy': {
    http: 409,
    nature: 'terminal',
    meaning: 'The team in Linear has open issues, which the demo’s workers would begin to work on.',
    next: 'Name a team without any; `npm run linear -- --demo` serves one.',
  },
  'demo.unfinished': {
    http: 500,
    nature: 'terminal',
    meaning: 'The demo ended before every issue was Done.',
    next: 'The summary names what is not done; `legion explain` and the daemon’s log in the demo’s folder say why.',
  },
  'demo.board_differs': {
    http: 500,
    nature: 'terminal',
    meaning: 'Every issue of the demo is Done for its daemon, but the board itself shows something else.',
    next: 'Report it with the message, unless somebody else has changed the issues meanwhile.',
  },
  'demo.tests_failed': {
    http: 500,
    nature: 'terminal',
    meaning:
      'Every issue of the demo is Done, but the tests of the sample project do not pass on its main branch.',
    next: 'Report it with the message: merged work has broken something, which the gates should have seen.',
  },
} as const satisfies Entries;
