/** How a commit is named in full. */

/** SHA-1 or SHA-256. */
export const SHA = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
