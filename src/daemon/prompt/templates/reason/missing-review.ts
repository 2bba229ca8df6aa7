/** Why: a report without a review. */
export const MISSING_REVIEW_REASON = `You reported that you are done, but pull request {{pull_request}} has no review of yours at its head, commit {{head}}. A comment is not a review, and a review of an earlier commit does not count.
- Read what has changed since.
- Give your verdict: \`legion worker review approve "…"\`, or \`legion worker review request-changes "…"\`. Report again.`;
