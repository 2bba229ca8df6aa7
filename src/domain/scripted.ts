/** What keeps the scripted agent apart from real work. */

/** The key in a repository's local git configuration that marks it as a demo's; set to `true` when the demo makes it. */
export const DEMO_MARK = 'legion.demo';

/** Shown wherever people look, as long as the scripted agent is in use. */
export const SCRIPTED_BANNER = 'Scripted agent: no real work is done.';
