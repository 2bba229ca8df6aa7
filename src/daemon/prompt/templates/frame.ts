/** The whole prompt: who and where, the operator's orders, why, what to do, what is known, and last of all how to report. */
export const FRAME = `{{who}}
{{where}}

{{operator}}

## Why you were called

{{reason}}

## What to do

{{duties}}

{{commands}}

## What is known

{{fenced.issue}}
{{fenced.told}}
{{fenced.instructions}}

## How to report

{{speak}}`;
