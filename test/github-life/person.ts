/** The person on GitHub: writes issues and comments there, answers there, and approves by a label. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DEMO_REPO } from '../../simulators/github/demo.ts';
import type { NumberedStory } from '../../src/demo/stories.ts';
import type { Story } from '../../src/demo/story.ts';
import type { GithubLife } from './stage.ts';

const LOOK_MS = 100;
/** Six issues take three quarters of a minute on two busy cores. */
const WAIT_MOST_MS = 240_000;

/** The ids that issues get which are written first, in this order. */
export function numberedOn(stories: readonly Story[]): readonly NumberedStory[] {
  return stories.map((story, index) => ({ ...story, id: `${DEMO_REPO.replace('/', '-')}-${index + 1}` }));
}

/** Puts them on the board, in Triage. */
export function write({ github, seed }: GithubLife, stories: readonly NumberedStory[]): void {
  for (const { title, body, labels } of stories)
    github.people.issue(DEMO_REPO, {
      ...{ author: 'ada', title, body, labels, project: seed.project, status: 'Triage' },
    });
}

/** Does what a person has to do, once each, until all of them are Done and closed; `meanwhile` may do more at each look. */
export async function seeThrough(
  life: GithubLife,
  stories: readonly NumberedStory[],
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<void> {
  const { people, snapshot } = { people: life.github.people, snapshot: () => life.github.snapshot() };
  const done = new Set<string>();
  const once = (what: string, act: () => void) => {
    if (done.has(what)) return;
    done.add(what);
    act();
  };
  const deadline = performance.now() + WAIT_MOST_MS;
  for (;;) {
    const { issues } = snapshot();
    for (const { number, labels, statuses } of issues) {
      const { clarification, answer = '' } = stories[number - 1] ?? {};
      if (clarification !== undefined && statuses[life.seed.project] === 'Icebox')
        once(`clarify ${number}`, () => people.comment('ada', DEMO_REPO, number, clarification));
      if (labels.includes('user-input-needed') && answer !== '')
        once(`answer ${number}`, () => people.comment('ada', DEMO_REPO, number, answer));
      if (labels.includes('needs-approval'))
        once(`approve ${number}`, () => people.label('ada', DEMO_REPO, number, { add: ['human-approved'] }));
    }
    if (issues.every(({ state, statuses }) => state === 'CLOSED' && statuses[life.seed.project] === 'Done'))
      return;
    if (performance.now() > deadline) throw new Error(`not Done in time:\n${await story(life)}`);
    await meanwhile();
    await sleep(LOOK_MS);
  }
}

/** What a test that waited in vain is told. */
async function story(life: GithubLife): Promise<string> {
  const { issues, pullRequests } = life.github.snapshot();
  const events = await life.events().catch((error: unknown) => [String(error)]);
  const told = [
    ...issues.map(({ number, state, labels, statuses }) => ({ number, state, labels, statuses })),
    ...pullRequests.map(({ number, head, state, labels }) => ({ number, head, state, labels })),
    ...events.slice(-40),
    ...life.door.log.slice(-20),
  ];
  return told.map((line) => JSON.stringify(line)).join('\n');
}
