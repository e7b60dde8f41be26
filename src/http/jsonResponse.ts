import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** Answers with JSON that is text already. */
export const jsonResponse = (text: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(text, { contentType: "application/json" })
