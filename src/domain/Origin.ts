import { Schema } from "effect"

const isOrigin = (text: string): boolean =>
  /^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text

/** Where a page comes from, as browsers write it: `https://app.example`, with a port but for the usual one. */
export const Origin = Schema.String.check(Schema.makeFilter(isOrigin)).pipe(Schema.brand("Origin"))
export type Origin = typeof Origin.Type

/** As many origins as an account can be given. */
export const mostOrigins = 100

/** The pages that may call in a browser: any (`*`), or those of a list. */
export const AllowedOrigins = Schema.Union([
  Schema.Literal("*"),
  Schema.Array(Origin).check(Schema.isMaxLength(mostOrigins)),
])
export type AllowedOrigins = typeof AllowedOrigins.Type

/** Whether a request may come from a page of this origin; one without an origin does not come from a page. */
export const originAllowed = (allowed: AllowedOrigins, origin: string | undefined): boolean =>
  allowed === "*" || origin === undefined || allowed.some((one) => one === origin)
