/** Lists every simulated mutation. */
import type { GithubResolver } from '../context.ts';
import { COMMENT_MUTATIONS } from './comments.ts';
import { ISSUE_MUTATIONS } from './issues.ts';
import { LABEL_MUTATIONS } from './labels.ts';
import { PROJECT_MUTATIONS } from './projects.ts';
import { PULL_REQUEST_MUTATIONS } from './pull-requests.ts';
import { REF_MUTATIONS } from './refs.ts';
import { REVIEW_MUTATIONS } from './reviews.ts';

export const MUTATIONS: Readonly<Record<string, GithubResolver>> = {
  ...COMMENT_MUTATIONS,
  ...ISSUE_MUTATIONS,
  ...LABEL_MUTATIONS,
  ...PROJECT_MUTATIONS,
  ...PULL_REQUEST_MUTATIONS,
  ...REF_MUTATIONS,
  ...REVIEW_MUTATIONS,
};
