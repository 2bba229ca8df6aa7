/** What there is to look at after a demo, as commands that can be copied. */
import { shellWord } from '../domain/shell-word.ts';
import type { DemoPlace } from './lay-out.ts';
import { lowStock } from './stories/low-stock.ts';
import { thousands } from './stories/thousands.ts';
import { usage } from './stories/usage.ts';
import type { Story } from './story.ts';
import type { Outcome } from './summary.ts';

export interface Sight {
  /** As one writes it in a shell. */
  readonly command: string;
  readonly why: string;
}

export function sightsOf(outcome: Outcome, place: DemoPlace): readonly Sight[] {
  const { folder, repository, command, stories } = place;
  const { kept, ok } = outcome;
  const idOf = ({ title }: Story) => stories.find((each) => each.title === title)?.id ?? title;
  const legion = (args: string, why: string): Sight => ({ command: `${word(command)} ${args}`, why });
  return [
    { command: `git -C ${word(repository)} log --oneline`, why: 'what was merged' },
    kept
      ? legion('open', 'all of it in your browser')
      : legion('up', 'the daemon has ended; this starts it again'),
    ...(ok ? finished(legion, idOf) : unfinished(outcome, legion)),
    legion('down', `ends the daemon; ${folder} can be removed then`),
  ];
}

type Legion = (args: string, why: string) => Sight;

function finished(legion: Legion, idOf: (story: Story) => string): readonly Sight[] {
  return [
    legion(`explain ${idOf(thousands)}`, 'its implement worker was killed once and started again'),
    legion(`logs ${idOf(thousands)} implement --attempt 1`, 'what it wrote until then'),
    legion(`issue show ${idOf(usage)}`, 'the issue that was clarified'),
    legion(`handoff read ${idOf(lowStock)}`, 'what its phases left for each other'),
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
