/** What secrets look like in a text; over-eager on purpose. Pure. */

/** Tokens of GitHub, and signed ones of its Apps. */
export const GITHUB_TOKENS: readonly RegExp[] = [
  /(?:gh[a-z]_|github_pat_)\w{8,}/g,
  /eyJ[\w-]{8,}\.[\w-]+\.[\w-]+/g,
];

export const LINEAR_TOKENS: readonly RegExp[] = [/\blin_[a-z]+_\w{8,}/gi];

/** Whatever is sent in a header that lets somebody in. */
export const HEADER_CREDENTIALS: readonly RegExp[] = [/\b(?:bearer|token|basic)\s+[\w.~+/=-]{16,}/gi];

/** Whole, or as far as it goes where its end was cut off. */
export const PRIVATE_KEYS: readonly RegExp[] = [
  /-----BEGIN[^-]*PRIVATE KEY-----(?:\s*[\w+/=]{16,})*(?:\s*[\w+/=]*\s*-----END[^-]*-----)?/g,
];

/** Keys of Anthropic and OpenAI, Slack, AWS and Google. */
export const PROVIDER_KEYS: readonly RegExp[] = [
  /\bsk-[\w-]{16,}/g,
  /\bxox[abeprs]-[\w-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[\w-]{30,}/g,
];

/** The value where a name, or the address it is part of, says that it is secret. */
export const NAMED_SECRETS: readonly RegExp[] = [
  /(?<=(?:api[_-]?key|access[_-]?key|secret|password|passwd|token|credentials?)["']?\s*[=:]\s*["']?)[^\s"',;[]{6,}/gi,
  /(?<=:\/\/[^\s/:@]{0,100}:)[^\s/@]+(?=@)/g,
];
