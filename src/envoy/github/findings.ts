/** What one delivery says: what may be worth looking at, what people may want to hear, what is so with a check. */
import type { Addressed } from '../pending.ts';
import type { RepositoryName, WakeUp } from '../receiver.ts';
import type { CheckSeen } from './check-fold.ts';
import { githubTopic } from './topics.ts';

export interface Findings {
  readonly wake: readonly WakeUp[];
  readonly notices: readonly Addressed[];
  readonly checks: readonly CheckSeen[];
}

export const NOTHING: Findings = { wake: [], notices: [], checks: [] };

/** It happened, but it cannot be said to what. */
export const EVERYTHING: Findings = { ...NOTHING, wake: ['everything'] };

export function wakeIssue({ owner, repo }: RepositoryName, number: number): WakeUp {
  return { issue: { owner, repo, number } };
}

export interface Happened {
  readonly repository: RepositoryName;
  readonly kind: 'issue' | 'pull_request';
  readonly number: number;
  /** GitHub's name of the event. */
  readonly event: string;
  readonly action: string | undefined;
  readonly by: string | undefined;
}

/** No title and no text: those are read where it is known who wrote them. */
export function happened({ repository, kind, number, event, action = '', by }: Happened): Addressed {
  const name = `${repository.owner}/${repository.repo}`;
  return {
    topic: githubTopic(repository, kind === 'issue' ? 'issue' : 'pr', number),
    notice: {
      text: [`${name}#${number}:`, event.replaceAll('_', ' '), action.replaceAll('_', ' ')]
        .join(' ')
        .trimEnd(),
      data: { repository: name, number, kind, event, action, by: by ?? null },
    },
  };
}
