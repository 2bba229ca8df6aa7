/** What GitHub's notices are called. */

import { token, topicOf } from '../../core/model/topic.ts';
import type { RepositoryName } from '../receiver.ts';

/** Owner and repository in lower case, because GitHub does not tell them apart by their capitals and a topic does. */
export function githubTopic({ owner, repo }: RepositoryName, ...names: readonly (string | number)[]): string {
  const place = [owner, repo].map((name) => token(name.toLowerCase()));
  return topicOf('notifications', 'github', ...place, ...names.map((name) => token(String(name))));
}
