/**
 * Tests that reading only the changes gives the same result as a full read, whatever people do in
 * between.
 */
import { expect, test } from 'vitest';
import { createSeededRandom } from '../../../../src/sim/random.ts';
import { SEED } from '../../../ports/host/random.ts';
import { SIGNAL } from '../../../ports/tracker/issues.ts';
import { type Simulated, STATES, WRITER } from './simulated.ts';
import { useSimulated } from './use-simulated.ts';

const STORIES = 4;
const ROUNDS = 25;
/** Number of changes by people between two passes: none, few, or more than one request returns. */
const DEEDS = [0, 1, 3, 12, 25];
/**
 * Seconds between two passes: none, a poll interval, or longer than the period in which recent
 * changes are requested again.
 */
const PAUSES_S = [0, 0.001, 1, 30, 200];

const stage = useSimulated();

test.each(Array.from({ length: STORIES }, (_, index) => SEED + index))(
  'lists the same issues as a newly opened tracker after random changes (seed %i)',
  async (seed) => {
    process.stdout.write(`looks: LEGION_SEED=${seed}\n`);
    const { team, tracker, pass } = stage();
    const eng = team('ENG');
    team('OPS');
    const random = createSeededRandom(seed).next;
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const people = crowd(stage(), pick);
    for (let time = 1; time <= 60; time += 1) people.write();
    const legion = await tracker(eng);
    for (let round = 1; round <= ROUNDS; round += 1) {
      const seen = await legion.list(SIGNAL);
      const anew = await (await tracker(eng)).list(SIGNAL);
      expect(seen, `round ${round}`).toEqual(anew);
      for (let deeds = pick(DEEDS); deeds > 0; deeds -= 1) people.act();
      pass(pick(PAUSES_S));
    }
  },
);

/** Simulates changes by people. `write` adds an issue to the team. */
function crowd({ linear }: Simulated, pick: <T>(list: readonly T[]) => T) {
  const { people } = linear;
  const here: string[] = [];
  const away: string[] = [];
  const put = new Set<string>();
  const relations: string[] = [];
  const labels = ['bug', 'ui', 'worker-active', 'Worker-Done', 'needs-approval', 'a', 'b', 'c', 'd', 'e'];
  let count = 0;
  const write = () => {
    count += 1;
    const by = pick([{ creator: WRITER }, { external: 'eve' }]);
    here.push(people.issue('ENG', { ...by, title: `Issue ${count}`, state: pick(STATES).name }));
  };
  const elsewhere = () => void away.push(people.issue('OPS', { creator: WRITER, title: 'Theirs' }));
  elsewhere();
  const isBlocked = (id: string, by: string) =>
    linear.snapshot().issues.some(({ identifier, blockedBy }) => identifier === id && blockedBy.includes(by));
  const leave = (how: typeof people.archive) => {
    const id = pick(here);
    how(WRITER, id);
    put.add(id);
  };
  const deeds: readonly (() => void)[] = [
    write,
    elsewhere,
    () => people.move(WRITER, pick(here), pick(STATES).name),
    () => people.move(WRITER, pick(away), pick(['Todo', 'Done', 'Canceled'])),
    () => people.setLabels(WRITER, pick(here), { add: [pick(labels), pick(labels)], remove: [pick(labels)] }),
    () => people.edit(WRITER, pick(here), { title: `Changed ${count}`, priority: pick([0, 1, 2, 3, 4]) }),
    () => people.attach(pick(here), { url: `https://a.example/${pick(labels)}` }),
    () => void people.comment(WRITER, pick(here), 'Said.'),
    () => {
      const [id, by] = [pick(here), pick([...here, ...away])];
      // Linear rejects a duplicate relation.
      if (id !== by && !isBlocked(id, by)) relations.push(people.block(id, by));
    },
    () => {
      const [relation] = relations.splice(0, 1);
      if (relation !== undefined) people.unblock(relation);
    },
    () => leave(people.archive),
    () => leave(people.trash),
    () => {
      const [id] = put;
      if (id === undefined) return;
      put.delete(id);
      people.unarchive(WRITER, id);
    },
    () => {
      const id = here.splice(here.indexOf(pick(here)), 1)[0];
      if (id !== undefined) away.push(people.moveToTeam(WRITER, id, 'OPS'));
    },
    () => {
      const id = away.splice(away.indexOf(pick(away)), 1)[0];
      if (id !== undefined) here.push(people.moveToTeam(WRITER, id, 'ENG'));
      if (away.length === 0) elsewhere();
    },
  ];
  return { write, act: () => pick(deeds)() };
}
