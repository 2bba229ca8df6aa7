/** Lists every simulated mutation. */
import { ISSUE_MUTATIONS } from './issues.ts';
import { SETTING_MUTATIONS } from './settings.ts';
import { THREAD_MUTATIONS } from './threads.ts';

export const MUTATIONS = { ...ISSUE_MUTATIONS, ...SETTING_MUTATIONS, ...THREAD_MUTATIONS };
