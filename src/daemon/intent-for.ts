/** Opens an intent for a command that no decision asked for: a cleanup, a word to a person, an operator's order. */
import type { Command } from '../domain/command.ts';
import type { Ledger } from './ledger.ts';
import type { Numbered } from './performer.ts';

export async function intentFor(ledger: Ledger, command: Command): Promise<Numbered> {
  let intent = 0;
  await ledger.append((swarm) => {
    intent = swarm.lastIntent + 1;
    return [{ type: 'intent.opened', intent, command }];
  });
  return { intent, command };
}
