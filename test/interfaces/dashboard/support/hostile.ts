/**
 * Texts that would run, lead elsewhere or deceive if they were taken for anything but text. `canary()` running anywhere
 * fails the tests (`inspect.ts`).
 */
const texts: ReadonlyArray<string> = [
  "<script>canary()</script>",
  `"><img src=x onerror=canary()>`,
  "' autofocus onfocus='canary()",
  "</title></textarea></style></script><svg onload=canary()>",
  "javascript:canary()",
  "--><iframe srcdoc='<script>parent.canary()</script>'></iframe>",
  "{{constructor.constructor('canary()')()}} ${canary()}",
  "\u202Egpj.exe\u202C\u2066\u200B\uFEFF",
  "&lt;script&gt;canary()&lt;/script&gt;&#x3c;script>",
]

/** All of them, one after the other. */
export const hostile = texts.join(" ")

/** A short one, for where a text has a limit. */
export const shortHostile = `"><img src=x onerror=canary()>\u202E`

/** The same, 100 kB long. */
export const longHostile = `${hostile} `.repeat(Math.ceil(100_000 / hostile.length)).slice(0, 100_000)
