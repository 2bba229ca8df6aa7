/** The board of the demo as the person before it uses it: writing issues and comments, and looking at what was merged. */

import type { DemoPlace } from '../../../demo/lay-out.ts';
import { PERSON } from '../../../demo/person.ts';
import { type NumberedStory, onFreshBoard } from '../../../demo/stories.ts';
import { LegionError } from '../../../domain/fault.ts';
import { issueSchema } from '../../../protocol/board.ts';
import { saidAnswer } from '../../../protocol/operator.ts';
import { type DaemonClient, route } from '../../daemon-client.ts';

export interface DemoBoard {
  /** By the ids of this board. */
  readonly stories: readonly NumberedStory[];
  /** From then on the issue is the legion's. */
  submit(story: NumberedStory, daemon: DaemonClient): Promise<void>;
  clarify(issue: string, text: string, daemon: DaemonClient): Promise<void>;
  /** Brings the main branch of the sample repository up to what was merged. */
  bringMain(place: DemoPlace): Promise<void>;
  close(): Promise<void>;
}

/** The legion's own, which it numbers from one; its sample repository is the one that is merged into. */
export function ownBoard(): DemoBoard {
  return {
    stories: onFreshBoard(),
    async submit({ id, title, body, labels }, daemon) {
      const issue = await daemon.request('POST', '/issues', issueSchema, { body: { title, body, labels } });
      // The scenario knows its issues by the ids of a fresh board.
      if (issue.id !== id)
        throw new LegionError('daemon.defect', `the board named the issue ${issue.id}, expected ${id}`);
    },
    async clarify(issue, text, daemon) {
      const body = { text, author: PERSON };
      await daemon.request('POST', route`/issues/${issue}/comments`, saidAnswer, { body });
    },
    bringMain: async () => undefined,
    close: async () => undefined,
  };
}
