/** What each condition of a merge asks, in words. Pure. */

const WORDS: Readonly<Record<string, string>> = {
  names_issue: 'The pull request names the issue',
  ci_green: 'CI passes at this commit',
  review_approved: 'A review approves this commit',
  tests_passed: 'The tests passed at this commit',
  retro_done: 'The retro is written',
  no_open_question: 'No question is open',
  mergeable: 'It merges without conflicts',
  real_work: 'A real agent did the work',
  in_retro: 'The issue is in Retro',
  not_paused: 'The issue is not held',
  not_blocked: 'No open issue blocks it',
  approved: 'The merge is approved',
  merged: 'It is merged',
  pull_request: 'There is a pull request',
  not_draft: 'It is no draft',
  tested_beyond_static: 'More than static checks were run',
  small: 'The change is small',
  no_dependency_added: 'No dependency was added',
  no_infrastructure: 'No infrastructure is touched',
  safe_kind: 'Its labels say a safe kind of change',
};

/** One this page does not know is shown by its own name. */
export function conditionInWords(name: string): string {
  return Object.hasOwn(WORDS, name) ? (WORDS[name] ?? name) : name.replaceAll('_', ' ');
}
