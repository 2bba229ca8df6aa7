/** The person before a board that is not Legion's own: clarifies, answers and approves there, once each, until all is over. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { NumberedStory } from '../../src/demo/stories.ts';
import type { Life } from '../support/legion-process.ts';

const LOOK_MS = 100;
/** Six issues take three quarters of a minute on two busy cores. */
const WAIT_MOST_MS = 240_000;

interface SeenOnBoard {
  readonly id: string;
  readonly status: string | null | undefined;
  readonly labels: readonly string[];
  readonly isOver: boolean;
}

export interface BoardOfPeople {
  look(): readonly SeenOnBoard[];
  comment(id: string, text: string): void;
  approve(id: string): void;
}

/** Does what a person has to do until all of them are over; `meanwhile` may do more at each look. */
export async function seeThroughOn(
  life: Life,
  { look, comment, approve }: BoardOfPeople,
  stories: readonly NumberedStory[],
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<void> {
  const done = new Set<string>();
  const isPlayed = (id: string) => stories.some((story) => story.id === id);
  const once = (what: string, act: () => void) => {
    if (done.has(what)) return;
    done.add(what);
    act();
  };
  const deadline = performance.now() + WAIT_MOST_MS;
  for (;;) {
    const seen = look();
    for (const { id, labels, status } of seen) {
      const { clarification, answer = '' } = stories.find((story) => story.id === id) ?? {};
      if (clarification !== undefined && status === 'Icebox')
        once(`clarify ${id}`, () => comment(id, clarification));
      if (labels.includes('user-input-needed') && answer !== '')
        once(`answer ${id}`, () => comment(id, answer));
      if (labels.includes('needs-approval')) once(`approve ${id}`, () => approve(id));
    }
    if (seen.filter(({ id }) => isPlayed(id)).every(({ isOver }) => isOver)) return;
    if (performance.now() > deadline) throw new Error(`not Done in time:\n${await told(life, seen)}`);
    await meanwhile();
    await sleep(LOOK_MS);
  }
}

/** What a test that waited in vain is told. */
async function told(life: Life, seen: readonly SeenOnBoard[]): Promise<string> {
  const events = await life.events().catch((error: unknown) => [String(error)]);
  const lines = [...seen, ...events.slice(-40), ...life.door.log.slice(-20)];
  return lines.map((line) => JSON.stringify(line)).join('\n');
}
