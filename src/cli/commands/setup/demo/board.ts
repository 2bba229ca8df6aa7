/** The board of the demo as the person before it uses it: writing issues and comments, and looking at what became of them. */

import { LegionError } from '../../../../core/model/fault.ts';
import type { DemoPlace } from '../../../../demo/lay-out.ts';
import { PERSON } from '../../../../demo/person.ts';
import { type NumberedStory, onFreshBoard } from '../../../../demo/stories.ts';
import type { Surroundings } from '../../../../demo/surroundings.ts';
import { issueActionEndpoints } from '../../../../protocol/endpoints/issue-actions.ts';
import { issueEndpoints } from '../../../../protocol/endpoints/issues.ts';
import type { DaemonClient } from '../../../daemon-client.ts';

export interface DemoBoard {
  /** Where it and the code are, for the configuration. */
  readonly surroundings: Surroundings;
  /** By the ids of this board. */
  readonly stories: readonly NumberedStory[];
  /** From then on the issue is the legion's. */
  submit(story: NumberedStory, daemon: DaemonClient): Promise<void>;
  clarify(issue: string, text: string, daemon: DaemonClient): Promise<void>;
  answer(asked: Asked, text: string, daemon: DaemonClient): Promise<void>;
  approve(issue: string, daemon: DaemonClient): Promise<void>;
  /** Brings the main branch of the sample repository up to what was merged. */
  bringMain(place: DemoPlace): Promise<void>;
  /** Once all is Done: what the board itself shows that is not as it should be. */
  complaints(signal: AbortSignal): Promise<readonly string[]>;
  close(): Promise<void>;
}

interface Asked {
  readonly issue: string;
  readonly question: number;
}

/** The legion's own, which it numbers from one; its sample repository is the one that is merged into. */
export function ownBoard(): DemoBoard {
  return {
    ...BY_COMMAND,
    surroundings: {},
    stories: onFreshBoard(),
    async submit({ id, title, body, labels }, daemon) {
      const issue = await daemon.call(issueEndpoints.add, { body: { title, body, labels } });
      // The scenario knows its issues by the ids of a fresh board.
      if (issue.id !== id)
        throw new LegionError('daemon.defect', `the board named the issue ${issue.id}, expected ${id}`);
    },
    async clarify(issue, text, daemon) {
      const body = { text, author: PERSON };
      await daemon.call(issueEndpoints.comment, { params: { id: issue }, body });
    },
    bringMain: async () => undefined,
    close: async () => undefined,
  };
}

/** A person who answers and approves with `legion`, and believes it. */
export const BY_COMMAND: Pick<DemoBoard, 'answer' | 'approve' | 'complaints'> = {
  async answer({ issue, question }, text, daemon) {
    const body = { text, by: PERSON, question };
    await daemon.call(issueActionEndpoints.answer, { params: { id: issue }, body });
  },
  async approve(issue, daemon) {
    const body = { by: PERSON };
    await daemon.call(issueActionEndpoints.approve, { params: { id: issue }, body });
  },
  complaints: async () => [],
};
