/** Faults of hosts and their processes. */
import type { Entries } from './entry.ts';

export const HOST_FAULTS = {
  'host.unsupported': {
    http: 501,
    nature: 'terminal',
    meaning: 'This machine lacks something the local host needs to run workers.',
    next: 'Use a Linux machine with /proc mounted and the programs the message names.',
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
    meaning: 'The working folder of a process is missing; nothing was started.',
    next: 'Make the workspace again, then start the same attempt.',
  },
  'host.start_failed': {
    http: 503,
    nature: 'retryable',
    meaning: 'A process could not be started, or has not shown itself yet.',
    next: 'Start the same attempt again: it runs once at the most.',
  },
  'host.start_unknown': {
    http: 500,
    nature: 'terminal',
    meaning: 'The start of an attempt was begun and cut short, and no process of it is there.',
    next: 'Go on with a new attempt; this one will never be started again.',
  },
  'host.no_attempt': {
    http: 404,
    nature: 'terminal',
    meaning: 'This host never started the attempt.',
    next: 'Check the worker, the attempt and the state folder the host was opened with.',
  },
  'host.command_failed': {
    http: 500,
    nature: 'terminal',
    meaning: 'A command of the repository that has to succeed before a worker starts did not.',
    next: 'Run the command the message names in the workspace, and mend it or `.legion/config.yml`.',
  },
  'host.unavailable': {
    http: 503,
    nature: 'retryable',
    meaning:
      'Files or processes of the host could not be read or written, which says nothing about any worker.',
    next: 'Look at the cause in the message; workers go on meanwhile.',
  },
} as const satisfies Entries;
