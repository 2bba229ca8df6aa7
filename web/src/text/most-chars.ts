/** How much somebody may write at once: the daemon takes no more. */
export const TEXT_MOST_CHARS = 32_768;
