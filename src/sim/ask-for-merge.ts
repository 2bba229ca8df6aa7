/** How a simulated merger comes to its merge: it waits for checks, solves conflicts, and sends back what it cannot merge. */
import { LegionError } from '../core/model/fault.ts';
import type { IssueId } from '../core/model/ids.ts';
import type { Doer } from './misbehaviour.ts';
import type { Earth } from './world.ts';

const MINUTE_MS = 60_000;
/** CI takes minutes, and a base that moves may make it run again. */
const ASKED_MOST = 20;

/** Resolves to why the work goes back, where it does. */
export async function askForMerge(worker: Doer, issue: IssueId, earth: Earth): Promise<string | undefined> {
  const { code, rules } = earth;
  for (let asked = 1; ; asked += 1) {
    try {
      await worker.say('merge', {});
      return undefined;
    } catch (error) {
      if (!(error instanceof LegionError) || asked === ASKED_MOST) throw error;
      const { code: fault, message } = error;
      rules.board.refusedMerge(earth, issue, message);
      if (fault === 'forge.conflict' || /\bmergeable is fail/.test(message)) {
        code.rebase(issue);
        await worker.say('push', {});
      } else if (/(?:tests_passed|review_approved|retro_done) is fail|ci=failing/.test(message)) {
        return message;
      } else if (!/ is unknown|ci=pending/.test(message)) {
        throw error;
      }
      await worker.pause(MINUTE_MS, 2 * MINUTE_MS);
    }
  }
}
