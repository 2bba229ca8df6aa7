/** What there is to look at after a demo, as commands that can be copied. */
import { shellWord } from '../domain/shell-word.ts';
import type { DemoPlace } from './lay-out.ts';
import type { Outcome } from './summary.ts';

export interface Sight {
  /** As one writes it in a shell. */
  readonly command: string;
  readonly why: string;
}

export function sightsOf(outcome: Outcome, { folder, repository, command }: DemoPlace): readonly Sight[] {
  const { kept, ok } = outcome;
  const legion = (args: string, why: string): Sight => ({ command: `${word(command)} ${args}`, why });
  return [
    { command: `git -C ${word(repository)} log --oneline`, why: 'what was merged' },
    ...(kept ? [] : [legion('up', 'the daemon has ended; this starts it again')]),
    ...(ok ? finished(legion) : unfinished(outcome, legion)),
    legion('down', `ends the daemon; ${folder} can be removed then`),
  ];
}

type Legion = (args: string, why: string) => Sight;

function finished(legion: Legion): readonly Sight[] {
  return [
    legion('explain DEMO-6', 'the worker that was killed and respawned'),
    legion('logs DEMO-6 implement --attempt 1', 'what it wrote until then'),
    legion('issue show DEMO-3', 'the issue that was clarified'),
    legion('handoff read DEMO-1', 'what its phases left for each other'),
  ];
}

/** A demo that ends early lets no worker start before it ends the others. */
function unfinished({ issues, kept }: Outcome, legion: Legion): readonly Sight[] {
  const open = issues.filter(({ status }) => status !== 'Done');
  return [
    ...(kept ? [] : [legion('resume', 'lets workers start again')]),
    ...open.map(({ id }) => legion(`explain ${id}`, 'what it waits for')),
  ];
}

/** Quoted where a shell would take it apart. */
function word(path: string): string {
  return /^[\w./@%+=:,-]+$/.test(path) ? path : shellWord(path);
}
