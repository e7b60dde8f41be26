import { Redacted } from "effect"
import { HttpServerResponse } from "effect/http"
import { sessionMillis } from "#application/accounts/Sessions.ts"
import { sessionCookie } from "../requests/RequestMeta.ts"
import { pageHeaders } from "../pages/headers.ts"
import type { Html, Url } from "../pages/jsx-runtime.ts"

/** The headers of an answer about the session's cookie: set to a new token, or removed. */
export type CookieChange = Readonly<Record<string, string>>

const cookie = (value: string, seconds: number): CookieChange => ({
  "set-cookie": `${sessionCookie}=${value}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=${seconds}`,
})

export const setSession = (token: Redacted.Redacted<string>): CookieChange =>
  cookie(Redacted.value(token), sessionMillis / 1_000)

export const dropSession: CookieChange = cookie("", 0)

export const pageResponse = (
  page: Html,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(`${page}`, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: { ...headers, ...pageHeaders },
  })

/** Sends the browser to another page, with GET. */
export const goTo = (place: Url, headers: CookieChange = {}): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 303, headers: { location: `${place}`, ...headers, ...pageHeaders } })
