/** Maximum length of a text that the daemon accepts. */
export const MAX_TEXT_CHARACTERS = 32_768;
