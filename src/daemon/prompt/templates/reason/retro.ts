/** Why: the work is approved, and is looked back on. */
export const RETRO_REASON = `Your work, pull request {{pull_request}}, is tested and approved. Look back on it before it is merged.
Implement nothing more: write only below {{retro_paths}}, commit, push, leave the handoff, and report.

{{round}}`;
