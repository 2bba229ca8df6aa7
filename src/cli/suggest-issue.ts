/** Adds the id that was probably meant to the error about an issue that is not on the board. */
import { LegionError } from '../domain/fault.ts';
import { dashboardEndpoints } from '../protocol/endpoints/dashboard.ts';
import type { DaemonClient } from './daemon-client.ts';

/** Rejects with the error, whatever happens: a suggestion is only a help. */
export async function suggestIssue(error: unknown, daemon: DaemonClient): Promise<never> {
  if (!(error instanceof LegionError) || error.code !== 'tracker.issue_unknown') throw error;
  const [, wrong = ''] = /^([^\s:]+)/.exec(error.message) ?? [];
  const meant = findMeant(wrong, await readIds(daemon));
  if (meant === undefined) throw error;
  throw new LegionError(error.code, `${error.message.replace(/\.$/, '')}. Did you mean ${meant}?`);
}

/** Only an id of the same number: of SHOP-99 and SHOP-9, nobody knows which was meant. */
function findMeant(wrong: string, ids: readonly string[]): string | undefined {
  const number = readNumber(wrong);
  const found = number === undefined ? [] : ids.filter((id) => readNumber(id) === number);
  return found.length === 1 ? found[0] : undefined;
}

function readNumber(id: string): string | undefined {
  return /(\d+)$/.exec(id)?.[1];
}

async function readIds(daemon: DaemonClient): Promise<readonly string[]> {
  try {
    const { cards } = await daemon.call(dashboardEndpoints.board, { query: { finished: 'all' } });
    return cards.map(({ id }) => id);
  } catch (error) {
    if (error instanceof LegionError) return [];
    throw error;
  }
}
