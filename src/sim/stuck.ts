/** What is left when everything is healed and everybody has answered: each issue that is not Done, with what its daemon says of it. */
import type { SimDaemon } from './daemon.ts';
import type { Earth } from './earth.ts';

const PATIENCE_MS = 60_000;

export async function nameTheStuck(
  { board, rules, time, outboxes }: Earth,
  daemon: SimDaemon | undefined,
): Promise<void> {
  if (rules.broken.length > 0) return;
  rules.people.ended();
  for (const { worker, who } of outboxes.left)
    rules.breaks(`a letter of ${worker} ${who.attempt} was never read`);
  for (const { id, column } of board.cards.values()) {
    if (column === 'Done') continue;
    const explained = daemon?.desks.operator
      .explain(id)
      .then(({ state }) => `${state.reason}: ${state.evidence.join(', ')}`);
    const unexplained = time.pass(time.elapsed + PATIENCE_MS, () => false).then(() => 'unknown');
    const why = await Promise.race([explained, unexplained]);
    rules.breaks(`${id} stays in ${column}: ${why ?? 'no daemon runs'}`);
  }
}
