/** Why: the work is approved, and is looked back on. */
export const RETRO_REASON = `Your work, pull request {{pull_request}}, is tested and approved. Before it is merged, look back on it.
This is not implementing any more: write only below {{retro_paths}}, commit, push, leave the handoff, and report.`;
