/** Descriptions of arguments that many commands take. */

export const ISSUE_HELP = 'Id of the issue, such as SHOP-1';
export const MODE_HELP =
  'Mode of the worker, such as implement (default: the running worker, or the last one)';
