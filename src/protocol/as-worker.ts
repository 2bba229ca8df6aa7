/** The flag that makes `legion` a worker's own. */

/** First on the command line of the `legion` on a worker's PATH: it holds whatever the environment says. */
export const AS_WORKER = '--as-worker';
